/** What a model that sees a few words at a time gets wrong: a number alone is no place, a language no nationality. */

import { isLetterUnit } from '../../model/characters.js';
import type { NameSpan } from '../../name-span.js';
import { lean } from '../../patterns/lean.js';
import { joinAddresses } from '../places/addresses.js';
import { firstWords } from '../words-beside.js';
import { withForm } from './not-places.js';

const BETWEEN_PARTS = /^[\s,;?\-–|]{0,12}$/;
const NAMES_POSTAL_CODE =
  /(?:zip|post\w*|plz|cap|c\.p\.|cp|pin|código postal|code postal)[\s\w]{0,12}[:#]?\s{0,2}$/iu;
const ENGLISH_LANGUAGES =
  'english|french|german|spanish|italian|portuguese|dutch|polish|russian|turkish|japanese|chinese|korean|arabic|hindi|greek|swedish|danish|finnish|norwegian|czech|hungarian|ukrainian|romanian|vietnamese|thai|hebrew|latin|basque|catalan|welsh|persian|farsi|urdu|bengali|tamil|malay|bulgarian|serbian|croatian|slovak|estonian|latvian|lithuanian|icelandic|punjabi|gujarati|marathi|telugu|malayalam|kannada|swahili|yoruba|igbo|hausa|amharic|somali|tagalog|filipino|kurdish|pashto|nepali|sinhala|khmer|burmese|albanian|macedonian|slovenian|afrikaans|zulu|xhosa|maltese|breton|galician|irish gaelic|mandarin|cantonese';
/** What no place is called. Other languages have `Italien` for both. */
const NO_PLACE = lean(
  `^(?:${ENGLISH_LANGUAGES}|deutsch|englisch|französisch|spanisch|italienisch|polnisch|russisch|türkisch)$`,
  'i',
);
const LANGUAGES = [
  ENGLISH_LANGUAGES,
  'inglés|francés|alemán|español|italiano|portugués|neerlandés|polaco|ruso|turco|japonés|chino|coreano|árabe|griego|sueco|catalán',
  '(?:engl|französ|deut|span|italien|portugies|niederländ|poln|russ|türk|japan|chines|korean|arab|griech|schwed)isch(?:e|en)?|deutsch(?:e|en)?',
  'anglais|français|allemand|espagnol|italien|portugais|néerlandais|polonais|russe|turc|japonais|chinois|coréen|arabe|grec|suédois',
  'inglese|francese|tedesco|spagnolo|portoghese|olandese|polacco|russo|giapponese|cinese|coreano|arabo|greco|svedese',
].join('|');
const LANGUAGE = lean(`^(?:${LANGUAGES})$`, 'iu');
const HAS_LANGUAGE = firstWords.add(LANGUAGES);
const BEFORE_LANGUAGE = lean(
  /(?:^|[^\p{L}])(?:(?:into|in|to|from) \p{Lu}\p{Ll}{2,}(?:,|,? (?:and|or))|fließend|fluent|très bien|couramment|(?:in|into)(?: (?:better|good|plain|simple|proper|fluent|broken|correct|formal|everyday|basic|perfect|modern|clear|native|clean|decent))?|plain|simple|everyday|to|from|en|al|del|auf|ins|aus dem|au|du|vers l[ea']|in lingua|dal|dall'|stud(?:y|ies|ied|ying)|learn(?:s|ed|ing|t)?|speak(?:s|ing)?|spoke|teach(?:es|ing)?|taught|understands?|fluent in|(?:apprend|parle|étudie|aprend|habl|estudi|lern|sprech|sprich|studier)\p{L}{0,4}(?: le| l'| el)?)\s?$/iu,
);
const AFTER_LANGUAGE = lean(
  /^(?:\s*$|\s?[.,:;!?)\]"'»]|\s(?:and|or|please|before|by|after|as|when|because|for|with|using|so|but|instead|too|today|tomorrow|für|mit|damit|pour|avec|para|con|per|voor|met|dla|fluently|well|better|at|lessons?|class(?:es)?|teachers?|courses?|grammar|literature|y|o|und|oder|bitte|et|ou|e|per favore|por favor)(?!\p{L}))/iu,
);
/** Things that are in a language. */
const OF_LANGUAGE = lean(
  /^(?:-only(?!\p{L})|-language |(?:(?:,|,? (?:and|or|und|oder|et|ou|y|o)) \p{Lu}\p{Ll}+){0,3} (?:dotless|umlauts?|diacritics|accents|characters?|glyphs|keyboards?|translators|locales|localisation|localization|i18n|l10n|string|translated|readmes?|README|Umlaute|Texte|Übersetzungen|sous-titres|traductions?|traducción|traducciones|subtítulos|cadenas|traduzion[ei]|stringhe|sottotitoli)(?!\p{L})|(?:(?:,|,? (?:and|or|und|oder|et|ou|y|o)) \p{Lu}\p{Ll}+){1,3} (?:version|strings|translations?|subtitles|keyboard|locale|spelling|grammar)(?!\p{L}))|^ (?:version|translations?|transcripts?|keyboard|locale|subtitles|captions|spelling|grammar|dictionary|alphabet|strings|phrases?|words?|text|manual|edition|layout|interface|accent|lyrics|letters|punctuation|vocabulary|lessons?|homework|exams?|courses?|Übersetzung|Version|Sprache|Tastatur|Fassung|Untertitel)(?!\p{L})/u,
);
/** `French fries`: what is called so wherever it is from. */
const CALLED_SO = lean(
  /^ (?:fries|shepherds?(?: pupp\p{Ll}+)?|army kni(?:fe|ves)|press|toast|doors?|windows?|cheese plant|mile|measles|roulette|dressing|muffins?|breakfast tea|bulldogs?|terriers?|spaniel|setter|wolfhound|sheepdog|pastr(?:y|ies)|roll|oven|courage|auction|salad|doll|wall|whispers|checkers|ink|summer|yoghurt|yogurt)(?!\p{L})/u,
);
const HAS_LETTER = lean(/\p{L}/u);
const HAS_DIGIT = /\d/;
/** A word, and no letter of a code such as `5F25`. */
const HAS_WORD = lean(/(?<![\p{L}\d])\p{L}{2,}(?!\d)/u);
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
  const isWord = !HAS_DIGIT.test(found);
  if (isWord && isLetterUnit(text.charCodeAt(span.start))) return true;
  if (isWord ? HAS_LETTER.test(found) : HAS_WORD.test(found)) return true;
  if (isBeside(text, spans[i - 1], span) || isBeside(text, spans[i + 1], span)) return true;
  return NAMES_POSTAL_CODE.test(text.slice(Math.max(0, span.start - CONTEXT_UNITS), span.start));
}

/** `into German:`, `en francés.`, `auf Deutsch?`: the word is a language when nothing follows that it could describe. */
function isLanguage(text: string, { type, start, end }: NameSpan): boolean {
  if ((firstWords.at(text, start) & HAS_LANGUAGE) === 0) return false;
  const found = text.slice(start, end);
  if (!LANGUAGE.test(found)) return false;
  if (type === 'LOCATION' && NO_PLACE.test(found)) return true;
  const after = text.slice(end, end + CONTEXT_UNITS);
  if (OF_LANGUAGE.test(after) || CALLED_SO.test(after)) return true;
  return (
    BEFORE_LANGUAGE.test(text.slice(Math.max(0, start - CONTEXT_UNITS), start)) && AFTER_LANGUAGE.test(after)
  );
}

/** The names that stay; `spans` in order of start, as the model gives them. */
export function plausibleNames(text: string, spans: readonly NameSpan[]): NameSpan[] {
  const joined = joinAddresses(text, spans).map((span) => withForm(text, span));
  return joined.filter((span, i) => {
    if (span.type === 'PERSON') return true;
    return !isLanguage(text, span) && (span.type === 'NRP' || isPlace(text, joined, i));
  });
}
