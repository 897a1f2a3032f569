/**
 * Names of which the model found a part: the given name before a surname that it knows, the second half of a double
 * surname, a town with a river behind its hyphens. And words in small letters before a name that are no part of it.
 */

import {
  type Gazetteer,
  LIST_CITY,
  LIST_COMMON,
  LIST_FIRST_NAME,
  LIST_FREQUENT_FIRST_NAME,
  LIST_LARGE_CITY,
  LIST_LAST_NAME,
  wordKey,
} from '../model/gazetteer.js';
import { asType, endingAt, type NameSpan, partOf, scored, startingAt } from '../name-span.js';
import { lean } from '../patterns/lean.js';
import { isDigitUnit } from '../patterns/units.js';
import { isSmallAt, listsBehind, wordsBehind } from './words-beside.js';

const SURE = 0.5;
const SURE_OF_PLACE = 0.9;
const TOLD = 0.6;
const WORD_UNITS = 32;
/** One word with a capital, or two with a hyphen, right before a name. */
const WORD_BEFORE = lean(
  /(?<![\p{L}\p{M}\p{N}@#_/.&'’-]|(?:[Tt]he|An?|an?) )(?<word>\p{Lu}[\p{Ll}\p{M}]{2,}(?:-\p{Lu}[\p{Ll}\p{M}]+)?) $/u,
);
const TITLE =
  /^(?:Mrs?|Ms|Miss|Dr|Prof|Sir|Dame|Lord|Lady|Captain|Capt|Sergeant|Sgt|Frau|Herr|Herrn|Pan|Pani|Panie|Pana|Dear|Hi|Hey|Hello|Thanks|Ask|Tell|Call|Ciao|Hola|Hallo|Salut|Bonjour|Cher|Chère|Caro|Cara|Lieber|Liebe|Beste|Meneer|Mevrouw|Madame|Monsieur|Maître|Signor|Signora|Señor|Señora|Senhor|Senhora|Don|Doña|Dona|Chef|Coach|Nurse|Sister|Brother|Father|Mother|Aunt|Uncle|Tante|Onkel|Oncle|Zia|Zio|Tía|Tío|Tia|Tio|Author|From|By|To|Cc|Re|Fwd|Attn|Name|Contact|Customer|Client|Patient|User|Manager|Owner|Obituary|Reviewer|Assignee|Suonare|Citofonare|Interphone|Sonnez|Timbre|Domofon|Deurbel|Klingeln|Klingel|Klingelschild)$/u;
/** The other half of a double surname: ` Ashbourne-Wykes`. */
const DOUBLE_BEHIND = lean(/^ \p{Lu}[\p{L}\p{M}]{2,}-\p{Lu}[\p{L}\p{M}]{2,}(?![\p{L}\p{M}-])/u);
/** `tell hannah brooks that`. */
const SMALL_BEHIND = lean(
  /^ (?<surname>\p{Ll}{4,})(?= (?:that|if|to|about|when|whether|why|how|where|for)(?!\p{L})|[,.!?]|$)/u,
);
const CALLED = lean(/(?<!\p{L})(?:tell|ask|remind|email|text|call|ping|message|invite) $/iu);
/** `-on-the-Wold`, `-sur-Mer`: what towns go on with. */
const TOWN_BEHIND = lean(
  /^(?:-(?:on|upon|in|under|by|next|le|la|les|sur|sous|en|lès|lez|du|de|d['’]|des|the|am|an|der|dem|im|bei|ob|aux?|y|do|da|and|cum|juxta|super|St|Saint|Sainte))*-\p{Lu}[\p{L}\p{M}]+(?![\p{L}\p{M}-])/u,
);
const ENDS_IN_LINK = /-(?:on|upon|in|under|by|le|la|les|sur|sous|en|lès|du|de|the|am|an|der|bei|ob|next)$/u;
/** A particle is a part of the surname, any other word is none. */
const SMALL_HEAD = lean(/^(?:\p{Ll}[\p{L}'’]* )+(?=\p{Lu})/u);
const PARTICLE = lean(
  /^(?:van|de|den|der|von|vom|zu|zur|zum|und|la|le|les|los|las|di|da|do|dos|das|del|della|dei|degli|dal|dalla|du|des|al|el|bin|bint|ibn|ben|abu|abd|ter|ten|te|op|in|['’]t|t|af|av|ap|mac|ní|nic|ó|y|e|i|d['’]\p{L}*|l['’]\p{L}*|a)$/u,
);

/** `spans` of prose, in order, each as long as its name is. */
export function wholeNames(
  text: string,
  from: number,
  spans: readonly NameSpan[],
  lists: Gazetteer,
): readonly NameSpan[] {
  const whole: NameSpan[] = [];
  let isSame = true;
  for (const span of spans) {
    const last = whole.at(-1);
    // A part of the name before it.
    if (last !== undefined && span.start < last.end) {
      isSame = false;
      continue;
    }
    const one =
      span.type === 'PERSON'
        ? (street(text, span) ?? person(text, Math.max(from, last?.end ?? 0), span, lists))
        : span.type === 'LOCATION'
          ? (somebody(text, span, lists) ?? town(text, span))
          : span;
    if (one !== span) isSame = false;
    whole.push(one);
  }
  return isSame ? spans : whole;
}

function person(text: string, from: number, given: NameSpan, lists: Gazetteer): NameSpan {
  if (given.score < SURE) return given;
  const span = withoutHead(text, given, lists);
  const found = text.slice(span.start, span.end);
  if (found.includes(' ')) return span;
  const flags = lists.find(wordKey(text, span.start, span.end));
  if ((flags & LIST_FIRST_NAME) !== 0) {
    const behind = DOUBLE_BEHIND.exec(text.slice(span.end, span.end + 2 * WORD_UNITS))?.[0];
    if (behind !== undefined) return endingAt(span, span.end + behind.length);
    const surname = SMALL_BEHIND.exec(text.slice(span.end, span.end + 2 * WORD_UNITS))?.groups?.surname;
    if (
      surname !== undefined &&
      CALLED.test(text.slice(Math.max(from, span.start - 12), span.start)) &&
      isSurname(surname, lists)
    )
      return endingAt(span, span.end + 1 + surname.length);
  }
  if ((flags & LIST_LAST_NAME) === 0 || (flags & LIST_FREQUENT_FIRST_NAME) !== 0) return span;
  if (text[span.start - 1] !== ' ' || !/\p{L}/u.test(text[span.start - 2] ?? '')) return span;
  const word = WORD_BEFORE.exec(text.slice(Math.max(from, span.start - WORD_UNITS), span.start))?.groups
    ?.word;
  if (word === undefined || TITLE.test(word) || !mayBeGiven(word, lists)) return span;
  return startingAt(span, span.start - word.length - 1);
}

function isSurname(word: string, lists: Gazetteer): boolean {
  const flags = lists.find(wordKey(word, 0, word.length));
  return (flags & LIST_LAST_NAME) !== 0 && (flags & LIST_COMMON) === 0;
}

/** Whether no list has the word, or two words with a hyphen stand there. */
function mayBeGiven(word: string, lists: Gazetteer): boolean {
  if (word.includes('-')) return true;
  const flags = lists.find(wordKey(word, 0, word.length));
  return (
    flags === 0 ||
    ((flags & LIST_FIRST_NAME) !== 0 && (flags & (LIST_COMMON | LIST_CITY | LIST_LARGE_CITY)) === 0)
  );
}

/** `de sleutels van Femke`: what stands before the name in small letters and is no particle goes. */
function withoutHead(text: string, span: NameSpan, lists: Gazetteer): NameSpan {
  const head = isSmallAt(text, span.start)
    ? SMALL_HEAD.exec(text.slice(span.start, span.end))?.[0]
    : undefined;
  const isPart = (word: string) =>
    PARTICLE.test(word) || (lists.find(wordKey(word, 0, word.length)) & LIST_FIRST_NAME) !== 0;
  if (head === undefined || head.trim().split(' ').every(isPart)) return span;
  return startingAt(span, span.start + head.length);
}

/** A surname that begins as no town does: `el uruguayo De los Ríos`. */
const SURNAME = /^(?:De (?:los|las|la)|Van (?:der|den|de)|Von (?:der|dem)) \p{Lu}/u;
const IN_SENTENCE = lean(/[\p{L},] $/u);
const WHO = lean(/^,? who(?:se)?(?!\p{L})/u);
const HAS_WHO = wordsBehind.add('who|whose');
const IN = lean(/(?<!\p{L})(?:of|in|from|at|near|to|for) $/u);

/** What the model took for a place, and is a person by its form or by what goes on. */
function somebody(text: string, { start, end, score }: NameSpan, lists: Gazetteer): NameSpan | undefined {
  const found = text.slice(start, end);
  const before = text.slice(Math.max(0, start - 6), start);
  const article =
    isSmallAt(text, start) && /^(?:los|las|la|der|den|de) \p{Lu}/u.test(found)
      ? /(?<=[\p{L},] )(?:De|Van|Von) $/u.exec(text.slice(Math.max(0, start - 7), start))
      : null;
  if (article !== null && score < SURE_OF_PLACE)
    return { type: 'PERSON', start: start - article[0].length, end, score: Math.max(score, TOLD) };
  const one = withoutHead(text, { type: 'PERSON', start, end, score }, lists);
  if (one.start > start && isGiven(text.slice(one.start, one.end), lists))
    return scored(one, Math.max(score, TOLD));
  const isSurname = score < SURE_OF_PLACE && SURNAME.test(found) && IN_SENTENCE.test(before);
  const isWho =
    (listsBehind(text, end) & HAS_WHO) !== 0 &&
    WHO.test(text.slice(end, end + 6)) &&
    !IN.test(before) &&
    (lists.find(wordKey(text, start, end)) & LIST_FIRST_NAME) !== 0;
  return isSurname || isWho ? { type: 'PERSON', start, end, score: Math.max(score, TOLD) } : undefined;
}

/** `van Kanaalstraat 41`: a street, whose number follows. */
const ENDS_AS_STREET = lean(
  /(?:\p{Lu}[\p{L}\p{M}'’-]* )*\p{Lu}[\p{L}\p{M}-]{2,}(?:straat|laan|gracht|plein|kade|singel|dijk|weg|straße|strasse|gasse|allee)$/u,
);
const NUMBER_BEHIND = /^ \d{1,4}(?![\d.:])/;

/** The street that the model took for somebody. */
function street(text: string, span: NameSpan): NameSpan | undefined {
  if (
    text[span.end] !== ' ' ||
    !isDigitUnit(text.charCodeAt(span.end + 1)) ||
    !NUMBER_BEHIND.test(text.slice(span.end, span.end + 6))
  )
    return undefined;
  const name = ENDS_AS_STREET.exec(text.slice(span.start, span.end));
  if (name === null) return undefined;
  const number = /^ \d{1,4}(?:[a-zA-Z](?![\p{L}])|-[IVX]{1,4}(?![\p{L}])|-\d{1,3}(?!\d))?/u.exec(
    text.slice(span.end, span.end + 12),
  )![0];
  return partOf(asType(span, 'LOCATION'), span.start + name.index, span.end + number.length);
}

/** In the list of first names, and in none of towns. */
function isGiven(word: string, lists: Gazetteer): boolean {
  const flags = lists.find(wordKey(word, 0, word.length));
  return (flags & LIST_FIRST_NAME) !== 0 && (flags & (LIST_COMMON | LIST_CITY | LIST_LARGE_CITY)) === 0;
}

function town(text: string, span: NameSpan): NameSpan {
  const after = text.slice(span.end, span.end + WORD_UNITS);
  if (!after.startsWith('-')) return span;
  const behind = TOWN_BEHIND.exec(after)?.[0];
  if (behind === undefined) return span;
  const hasLink = ENDS_IN_LINK.test(text.slice(span.start, span.end)) || behind.lastIndexOf('-') > 0;
  return hasLink ? endingAt(span, span.end + behind.length) : span;
}
