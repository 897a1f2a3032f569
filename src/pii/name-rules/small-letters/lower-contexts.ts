/**
 * Names in small letters that are words, too, or that few have (`wren`, `beau`): people where the words around them are
 * said of nobody else.
 */

import {
  type Gazetteer,
  LIST_CALENDAR,
  LIST_COMMON,
  LIST_FIRST_NAME,
  LIST_LARGE_CITY,
  LIST_LAST_NAME,
  LIST_REGION,
  wordKey,
} from '../../model/gazetteer.js';
import { lean } from '../../patterns/lean.js';
import { WordSigns } from '../../patterns/word-signs.js';

const DAY =
  '(?:mon|tue|wed|thu|fri|sat|sun|tomorrow|next|this|the \\d|lunes|montag|dienstag|mittwoch|donnerstag|freitag|lundi|mardi)';
const AWAY = `(?:out (?:until|till|til|sick|today|tomorrow|this|next|for)|off (?:sick|until|till|til|today|tomorrow|on|this)|away (?:until|till|til|this|next)|back (?:on |in )?${DAY}|(?:ooo|afk|wfh)(?!\\p{L}))`;
const LEAVE = '(?:leave|holiday|vacation|pto)(?!\\p{L})';
const SAYS =
  '(?:says|said) (?:hi|hello|hey|he|she|they|we|i|you|yes|no|ok|it|its|that|the|to|so|not|ur|u|thanks|maybe|sorry|her|his|there|this|can|dont)(?!\\p{L})';
const WRITES =
  '(?:pinged|messaged|texted|emailed|dmed|told|asked) (?:me|us|him|her|them|everyone)(?!\\p{L})|never (?:checks|replies|answers|reads|calls|texts|replied|answered|showed|told|said)(?!\\p{L})';
const NUMBER = '[+(]?\\d[\\d ().-]{5,}\\d';
const CLAUSE =
  '(?:^|[\\n.,;:!?…|] ?|(?<!\\p{L})(?:and|but|so|or|cause|because|cuz|coz|if|that|lol|haha|fyi|btw|when|while|since|as|ok|hey|also|then|guess|hope|think|until|unless|though|y|und|et|pero|aber|mais) )';
const NAME = '(?<name>\\p{Ll}[\\p{Ll}\\p{M}]{2,}|\\p{Ll}{2,6}-\\p{Ll}{2,6})';
const IS_ON = 'is on (?:annual |sick |parental |maternity |paternity )?';
/** What only people do, looked for at the verb, with the name before it, or behind it (`call wren on 555-0147`). */
const TOLD = lean(
  [
    `(?=${AWAY})(?<=${CLAUSE}${NAME} is )`,
    `(?=${LEAVE})(?<=${CLAUSE}${NAME} ${IS_ON})`,
    `(?=${SAYS}|${WRITES})(?<=${CLAUSE}${NAME} )`,
    `(?:try|call|ring|phone|text|dial|reach|message) ${NAME} (?:on|at|under) ${NUMBER}`,
    `(?:did|does|didn't|didnt) ${NAME} (?:say|tell|mention|ask|reply|call back|get back|want|know|send|finish|approve|check|see|get|make|leave|come|go|book|pay|sign|push|merge|fix|find|bring|take|manage|forget|remember)(?!\\p{L})`,
  ]
    .map((way, at) => way.replace('<name>', `<name${at}>`))
    .join('|'),
  'duy',
);
const PHONED = 'name3';

/** The words that names in small letters are told by, looked for once. */
export const lowerSigns = new WordSigns();
const HAS_VERB = lowerSigns.add(
  'out|off|leave|holiday|vacation|pto|away|back|ooo|afk|wfh|says|said|pinged|messaged|texted|emailed|dmed|told|asked|never|try|call|ring|phone|text|dial|reach|message|did|does|didnt',
);

/** Ordinary words that are people's names as often, where they do what people do. */
const ALSO_PEOPLE = new Set(
  'beau will rich sue art hope joy faith grace dev merit patience honor honour prior brandy marry'.split(' '),
);
/** In a list of names, and said of things, offices and firms. */
export const NOBODY = new Set(
  (
    'she the her his our may see check sun moon sky weather summer winter autumn spring dawn monday sunday god lord king queen prince pope priest bishop major doctor doc officer coach captain judge sergeant ' +
    'commander deputy lady master mister mum mom dad nan nana gran boss chef mama papa auntie uncle mate buddy guru prophet court band church bank press league school hell system ferry cafe ' +
    'cargo tower floor hall box port park beach street road garden grid apple hilton disney gucci audi chelsea wall boot key rock league section gas light law rule page bill note card post mark sign label ' +
    'mail alexa siri cortana claude google gemini sonar travis jenkins hugo vault spark ruby perl chef puppet consul ray salt echo nest bot dot max min nothing nobody someone helpdesk hotline reception frontdesk switchboard voicemail'
  ).split(' '),
);

export interface ToldWord {
  start: number;
  end: number;
}

/** The names of [from, to) that such words tell. `signs`: what `lowerSigns` has there, which it was asked for last. */
export function toldInSmall(
  text: string,
  from: number,
  to: number,
  lists: Gazetteer,
  signs: number,
): ToldWord[] {
  if ((signs & HAS_VERB) === 0) return [];
  const piece = text.slice(from, to);
  const found: ToldWord[] = [];
  for (const place of lowerSigns.placesOf(HAS_VERB)) {
    TOLD.lastIndex = place - from;
    const groups = TOLD.exec(piece)?.indices?.groups ?? {};
    const name = Object.values(groups).find((group) => group !== undefined);
    const isPhoned = groups[PHONED] !== undefined;
    if (name !== undefined && mayBeCalled(piece.slice(...name), lists, isPhoned))
      found.push({ start: from + name[0], end: from + name[1] });
  }
  return found;
}

/** Who has a number may be in no list. */
function mayBeCalled(word: string, lists: Gazetteer, isPhoned: boolean): boolean {
  if (NOBODY.has(word)) return false;
  const flags = lists.find(wordKey(word, 0, word.length));
  if ((flags & (LIST_REGION | LIST_LARGE_CITY | LIST_CALENDAR)) !== 0) return false;
  if ((flags & LIST_COMMON) !== 0) return ALSO_PEOPLE.has(word);
  return (flags & (LIST_FIRST_NAME | LIST_LAST_NAME)) !== 0 || (isPhoned && flags === 0);
}
