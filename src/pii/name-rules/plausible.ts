/**
 * What a model that sees a few words at a time gets wrong: an address goes on after its postal code, a number alone
 * is no place, a language no nationality.
 */
import type { NameSpan } from '../model/names.js';

const POSTAL_CODE_BETWEEN = /^,?\s{0,4}(?:(?:[A-Z]{1,2}-)?\d{4,6}|\d{4} ?[A-Z]{2})\s$/;
/** A street with a number, and what stands behind it with its code. */
const STREET_WITH_NUMBER = /\d.*\p{L}|\p{L}.*\d/u;
const CODE_AND_TOWN = /^\d{4,5} \p{Lu}[^\d]*$/u;
const BRITISH_CODE = /^[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}(?!\w)/;
const ENDS_WITH_BRITISH_CODE = /[ \n][A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}$/;
const CODE_BEHIND = /^,?[ \n]{1,2}[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}(?!\w)/;
const HOUSE_AND_STREET =
  /^(?:\p{Lu}[\p{L}'’ ]{1,24} (?:Cottage|House|Farm|Lodge|Hall|Court|Barn|Villa), )?(?:(?:Flat|Apt\.?|Apartment|Unit|Suite|Room) ?\w{1,4},? )?\d{1,5}[a-z]? \p{Lu}[^\n]+$/u;
const NEXT_LINE = /^,? ?\n ?$/;
const BEFORE_CODE = /^,?[ \n]$/;
const BETWEEN_PARTS = /^[\s,;?\-–|]{0,12}$/;
const NAMES_POSTAL_CODE =
  /(?:zip|post\w*|plz|cap|c\.p\.|cp|pin|código postal|code postal)[\s\w]{0,12}[:#]?\s{0,2}$/iu;
const ENGLISH_LANGUAGES =
  'english|french|german|spanish|italian|portuguese|dutch|polish|russian|turkish|japanese|chinese|korean|arabic|hindi|greek|swedish|danish|finnish|norwegian|czech|hungarian|ukrainian|romanian|vietnamese|thai|hebrew|latin|basque|catalan|welsh|persian|farsi|urdu|bengali|tamil|malay|bulgarian|serbian|croatian|slovak|estonian|latvian|lithuanian|icelandic';
/** What no place is called. Other languages have `Italien` for both. */
const NO_PLACE = new RegExp(`^(?:${ENGLISH_LANGUAGES})$`, 'i');
const LANGUAGE = new RegExp(
  `^(?:${[
    ENGLISH_LANGUAGES,
    'inglés|francés|alemán|español|italiano|portugués|neerlandés|polaco|ruso|turco|japonés|chino|coreano|árabe|griego|sueco|catalán',
    '(?:engl|französ|deut|span|italien|portugies|niederländ|poln|russ|türk|japan|chines|korean|arab|griech|schwed)isch(?:e|en)?|deutsch(?:e|en)?',
    'anglais|français|allemand|espagnol|italien|portugais|néerlandais|polonais|russe|turc|japonais|chinois|coréen|arabe|grec|suédois',
    'inglese|francese|tedesco|spagnolo|portoghese|olandese|polacco|russo|giapponese|cinese|coreano|arabo|greco|svedese',
  ].join('|')})$`,
  'iu',
);
const BEFORE_LANGUAGE =
  /(?:^|[^\p{L}])(?:in|into|to|from|en|al|del|auf|ins|aus dem|au|du|vers l[ea']|in lingua|dal|dall'|stud(?:y|ies|ied|ying)|learn(?:s|ed|ing|t)?|speak(?:s|ing)?|spoke|teach(?:es|ing)?|taught|understands?|fluent in|(?:apprend|parle|étudie|aprend|habl|estudi|lern|sprech|sprich|studier)\p{L}{0,4}(?: le| l'| el)?)\s?$/iu;
const AFTER_LANGUAGE =
  /^(?:\s*$|\s?[.,:;!?)\]"'»]|\s(?:and|or|please|fluently|well|better|at|lessons?|class(?:es)?|teachers?|courses?|grammar|literature|y|o|und|oder|bitte|et|ou|e|per favore|por favor)(?!\p{L}))/iu;
const HAS_LETTER = /\p{L}/u;
const HAS_DIGIT = /\d/;
/** A word, and no letter of a code such as `5F25`. */
const HAS_WORD = /(?<![\p{L}\d])\p{L}{2,}(?!\d)/u;
const CONTEXT_UNITS = 32;

function isBeside(text: string, one: NameSpan | undefined, other: NameSpan): boolean {
  if (one?.type !== 'LOCATION') return false;
  const [first, second] = one.start < other.start ? [one, other] : [other, one];
  return second.start - first.end <= CONTEXT_UNITS && BETWEEN_PARTS.test(text.slice(first.end, second.start));
}

/** A house number or a postal code stands beside other parts of an address, or is named. */
function isPlace(text: string, spans: readonly NameSpan[], i: number): boolean {
  const span = spans[i]!;
  const found = text.slice(span.start, span.end);
  if (HAS_DIGIT.test(found) ? HAS_WORD.test(found) : HAS_LETTER.test(found)) return true;
  if (isBeside(text, spans[i - 1], span) || isBeside(text, spans[i + 1], span)) return true;
  return NAMES_POSTAL_CODE.test(text.slice(Math.max(0, span.start - CONTEXT_UNITS), span.start));
}

/** `into German:`, `en francés.`, `auf Deutsch?`: the word is a language when nothing follows that it could describe. */
function isLanguage(text: string, { type, start, end }: NameSpan): boolean {
  const found = text.slice(start, end);
  if (!LANGUAGE.test(found)) return false;
  if (type === 'LOCATION' && NO_PLACE.test(found)) return true;
  return (
    BEFORE_LANGUAGE.test(text.slice(Math.max(0, start - CONTEXT_UNITS), start)) &&
    AFTER_LANGUAGE.test(text.slice(end, end + CONTEXT_UNITS))
  );
}

/** Whether two places are one: a code stands between them, begins the second, or ends the line below the street. */
function isOneAddress(text: string, first: NameSpan, second: NameSpan): boolean {
  if (second.start - first.end > CONTEXT_UNITS) return false;
  const between = text.slice(first.end, second.start);
  if (POSTAL_CODE_BETWEEN.test(between)) return true;
  const isStreet = between === ', ' && STREET_WITH_NUMBER.test(text.slice(first.start, first.end));
  if (isStreet && CODE_AND_TOWN.test(text.slice(second.start, second.end))) return true;
  if (BEFORE_CODE.test(between) && BRITISH_CODE.test(text.slice(second.start, second.start + 9))) return true;
  const isCodeBehind = CODE_BEHIND.test(text.slice(second.end, second.end + CONTEXT_UNITS));
  return (
    NEXT_LINE.test(between) &&
    HOUSE_AND_STREET.test(text.slice(first.start, first.end)) &&
    (isCodeBehind || ENDS_WITH_BRITISH_CODE.test(text.slice(second.start, second.end)))
  );
}

/** `Calle Mayor 3` and `Madrid` are one place where only a comma and a postal code stand between them. */
function joinAddresses(text: string, spans: readonly NameSpan[]): NameSpan[] {
  const joined: NameSpan[] = [];
  for (const given of spans) {
    let span = given;
    for (let last = joined.at(-1); last !== undefined && arePlaces(last, span); last = joined.at(-1)) {
      if (!isOneAddress(text, last, span)) break;
      joined.pop();
      span = { ...last, end: span.end, score: Math.min(last.score, span.score) };
    }
    joined.push(span);
  }
  return joined;
}

function arePlaces(one: NameSpan, other: NameSpan): boolean {
  return one.type === 'LOCATION' && other.type === 'LOCATION';
}

/** The names that stay; `spans` in order of start, as the model gives them. */
export function plausibleNames(text: string, spans: readonly NameSpan[]): NameSpan[] {
  const joined = joinAddresses(text, spans);
  return joined.filter((span, i) => {
    if (span.type === 'PERSON') return true;
    return !isLanguage(text, span) && (span.type === 'NRP' || isPlace(text, joined, i));
  });
}
