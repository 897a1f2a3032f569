/**
 * People whom a word announces: `Founders: Gerste, Johnson`, also line by line, and `Chair: Gerste`.
 */

import {
  type Gazetteer,
  LIST_CALENDAR,
  LIST_COMMON,
  LIST_FIRST_NAME,
  LIST_FREQUENT_FIRST_NAME,
  LIST_LARGE_CITY,
  LIST_LAST_NAME,
  LIST_NRP,
  LIST_ORGANIZATION,
  LIST_PRODUCT,
  LIST_REGION,
  wordKey,
} from '../model/gazetteer.js';
import type { NameSpan } from '../name-span.js';
import { inSmall } from '../patterns/in-small.js';
import { lean } from '../patterns/lean.js';
import { matchAt } from '../patterns/matches-of.js';
import { isPlaceholder } from './data/values.js';
import { nameSigns } from './name-signs.js';
import { OFFICES, PARTIES, PEOPLE, PERHAPS, VOTES } from './people-heads.js';

const LISTED = 0.6;
export const SURE = 0.5;
const MAX_LISTED = 40;
/** Units between two parts of the same minutes. */
const NEAR_UNITS = 60;
/** What stands in a field for an office that nobody has. */
const NOBODY =
  /^(?:vacan(?:t|te|cy)|vaga|vago|vakant|vacature|wakat|unbesetzt|entfällt|nobody|no one|niemand|keiner|personne|aucune?|nadie|ninguno|nessun[oa]|assente|absente?|ausente|ningu[ée]m|nikt|brak|abwesend|afwezig)$/i;
/** A sentence goes on: what a field says is no name. */
const SENTENCE = /^ \p{Ll}{2}/u;
export const HAS_HEAD = nameSigns.add(`${PEOPLE}|${OFFICES}|${PERHAPS}|${PARTIES}|${VOTES}`);
/** An item of a list in the next line. */
const ITEM_BELOW = '\\n[ \\t]{0,4}(?:[-*•]|\\d{1,2}[.)])[ \\t]{1,4}';
const REMARK_BEHIND = '(?: \\([^)\\n]{1,20}\\))?';
/** Of a text in small letters. */
const HEAD = new RegExp(
  `(?:(?:${PEOPLE})|(?<perhaps>${PERHAPS})|(?<office>${OFFICES})|(?<known>${PARTIES}|(?<vote>${VOTES})))(?=${REMARK_BEHIND}(?:\\s?(?::|=>|->)| (?:are|were|included?|is) |${ITEM_BELOW}))`,
  'y',
);
/** What stands behind it, up to the first name. */
const HEAD_SIGN = lean(
  `${REMARK_BEHIND}(?:\\s?(?::|=>|->)[ \\t]*|(?<heading>)(?: (?:are|were|include|included) (?=\\p{Lu})| is (?=\\p{Lu}[\\p{L}'’-]+(?: \\p{Lu}[\\p{L}'’-]+)?, \\p{Lu})|(?=${ITEM_BELOW})))`,
  'uy',
);
/** What must stand near for it. */
const HEAD_END = /[:>\n]| (?:are|were|include)/;
const HEAD_UNITS = 64;
const SURNAME = lean(
  /(?:(?:van|von|vom|zu|de|den|der|del|della|da|das|di|dos|du|la|le|ten|ter|te|af|av|al|el|bin|bint|ibn) ){0,2}\p{Lu}[\p{L}'’-]+(?: \p{Lu}[\p{L}'’-]+){0,2}/uy,
);
/** The first name behind a surname that an item has to itself: `- Nakamura, Yuki`. */
const FIRST_BEHIND = lean(/, \p{Lu}[\p{L}'’-]+(?: \p{Lu}\.| \p{Lu}[\p{L}'’-]+)?(?=[ \t]*(?:\n|$))/uy);
/** What a list says of one of its people: a share, a minute, a role. */
const REMARK = "(?: \\([^()\\n]{1,24}\\)| \\d{1,3}(?:\\+\\d{1,2})?['’%]?)?";
const SEPARATOR = lean(
  `${REMARK}(?:\\s?(?:,|;|&|/|\\|)\\s?(?:(?:and|or|und|oder|et|ou|y|o|e|en|of|i|lub) )?|\\s(?:and|or|und|oder|et|ou|y|o|e|en|of|i|lub)\\s)`,
  'y',
);
/** The sign that a list has between its items. */
const SIGN = /[,;&/|](?=[^,;&/|]*$)/u;
const TITLE = /(?:Capt|Dr|Prof|Mr|Mrs|Ms|Mme|Sgt|Lt|Rev|Ing|Dott|Sra|Sr|Mag)\.? (?=\p{Lu})/uy;
/** The next line of a list, with what the line before says of its person. */
const ITEM = /(?:[ ,(–-][^\n]{0,60})?\n[ \t]{0,4}(?:[-*•]|\d{1,2}[.)])[ \t]{1,4}/uy;
const FIRST_ITEM = lean(ITEM_BELOW, 'y');

export const THINGS = LIST_COMMON | LIST_CALENDAR | LIST_NRP | LIST_ORGANIZATION | LIST_PRODUCT | LIST_REGION;

/** Adds the people of [from, to) whom such a word announces to `told`. */
export function addAnnounced(
  text: string,
  from: number,
  to: number,
  spans: readonly NameSpan[],
  lists: Gazetteer,
  told: NameSpan[],
): void {
  const piece = text.slice(from, to);
  let small: string | undefined;
  let done = 0;
  for (const place of nameSigns.placesOf(HAS_HEAD)) {
    if (place - from < done || !HEAD_END.test(text.slice(place, place + HEAD_UNITS))) continue;
    small ??= inSmall(piece);
    HEAD.lastIndex = place - from;
    const match = HEAD.exec(small);
    if (match === null) continue;
    HEAD_SIGN.lastIndex = HEAD.lastIndex;
    const sign = HEAD_SIGN.exec(piece);
    if (sign === null) continue;
    done = HEAD_SIGN.lastIndex;
    const head = { ...match.groups, ...sign.groups };
    let at = done;
    const first = matchAt(FIRST_ITEM, piece, at);
    const between = first === undefined ? SEPARATOR : ITEM;
    at += first?.length ?? 0;
    let separating: string | undefined;
    let hasFirstNames = false;
    let isBegun = false;
    for (let count = 0; count < MAX_LISTED; count++) {
      at += matchAt(TITLE, piece, at)?.length ?? 0;
      const surname = matchAt(SURNAME, piece, at);
      if (surname === undefined) break;
      if (isTown(surname, lists)) break;
      const behind: string =
        between === ITEM ? firstNameBehind(piece, at + surname.length, hasFirstNames, lists) : '';
      hasFirstNames ||= behind !== '';
      const name = surname + behind;
      const end = at + name.length;
      const separator = matchAt(between, piece, end);
      const whole = { start: from + at, end: from + end };
      const isLast = separator === undefined;
      const all = [...spans, ...told];
      if (isAnnounced(text, whole, from + match.index, head, { isLast, isBegun }, all, lists)) {
        add(told, whole.start, whole.end);
        isBegun = true;
      }
      // Behind another sign stands another thing: `Witnesses: Lund, Oduya; scene: Rostock`.
      const next = separator === undefined ? undefined : SIGN.exec(separator)?.[0];
      if (separator === undefined || (separating !== undefined && next !== undefined && next !== separating))
        break;
      separating ??= next;
      at += name.length + separator.length;
    }
  }
}

/** Whether the word at `head`, by the groups of its match, says that `name` is somebody. `isLast`: no other item is behind it, `isBegun`: one before it is somebody. */
function isAnnounced(
  text: string,
  { start, end }: Pick<NameSpan, 'start' | 'end'>,
  head: number,
  { perhaps, heading, office, known, vote }: Record<string, string>,
  { isLast, isBegun }: { isLast: boolean; isBegun: boolean },
  spans: readonly NameSpan[],
  lists: Gazetteer,
): boolean {
  const isOfOne = office !== undefined || known !== undefined;
  if (perhaps === undefined && heading === undefined && !isOfOne) return true;
  const name = text.slice(start, end);
  if (isThing(name, lists) || (isOfOne && (isPlaceholder(name) || NOBODY.test(name)))) return false;
  if (!isOfOne || hasName(name, lists)) return !isOfOne || !isKnownAt(start, spans);
  if (isKnownAt(start, spans) || (isLast && SENTENCE.test(text.slice(end, end + 3)))) return false;
  return office !== undefined || isBegun || (vote !== undefined && isNearSomebody(head, spans));
}

/** The model is sure of somebody whose name begins there: it knows where it ends. */
function isKnownAt(at: number, spans: readonly NameSpan[]): boolean {
  return spans.some(({ type, start, score }) => type === 'PERSON' && start === at && score >= SURE);
}

/** Somebody stands before `at`, in the same minutes. */
function isNearSomebody(at: number, spans: readonly NameSpan[]): boolean {
  return spans.some(
    ({ type, score, end }) => type === 'PERSON' && score >= SURE && end <= at && at - end < NEAR_UNITS,
  );
}

/** Its last word is somebody's name. */
function hasName(name: string, lists: Gazetteer): boolean {
  const last = name.slice(1 + Math.max(name.lastIndexOf(' '), name.lastIndexOf('-')));
  return (lists.find(wordKey(last, 0, last.length)) & (LIST_FIRST_NAME | LIST_LAST_NAME)) !== 0;
}

/** Two of a list that the model took for a surname and a first name. */
export function isSeveral(
  text: string,
  span: NameSpan,
  told: readonly NameSpan[],
  lists: Gazetteer,
): boolean {
  const comma = text.indexOf(', ', span.start);
  if (span.type !== 'PERSON' || comma < 0 || comma >= span.end) return false;
  const second = comma + 2;
  return (
    told.some(({ start, end }) => start === span.start && end === comma) &&
    told.some(({ start, end }) => start === second && end === span.end) &&
    (lists.find(wordKey(text, second, span.end)) & LIST_FIRST_NAME) === 0
  );
}

/** `, Yuki` behind the surname of an item; empty where it is a role or a town. `hasFirstNames`: an item before has one. */
function firstNameBehind(piece: string, at: number, hasFirstNames: boolean, lists: Gazetteer): string {
  const behind = matchAt(FIRST_BEHIND, piece, at) ?? '';
  const [first] = behind.slice(2).split(' ') as [string];
  const flags = lists.find(wordKey(first, 0, first.length));
  if (hasFirstNames && flags === 0) return behind;
  // Villages are called like people, large towns are known as such.
  return (flags & LIST_FIRST_NAME) !== 0 && (flags & LIST_LARGE_CITY) === 0 ? behind : '';
}

/** A large town that nobody is called like: `Caller: Bremerhaven`. */
function isTown(name: string, lists: Gazetteer): boolean {
  const flags = lists.find(wordKey(name, 0, name.length));
  return (flags & LIST_LARGE_CITY) !== 0 && (flags & (LIST_FIRST_NAME | LIST_LAST_NAME)) === 0;
}

export function add(told: NameSpan[], start: number, end: number): void {
  if (!told.some((one) => one.start < end && one.end > start))
    told.push({ type: 'PERSON', start, end, score: LISTED });
}

/** Whether a word of `name` is in a list of other things. */
export function isThing(name: string, lists: Gazetteer): boolean {
  return name.split(/[ -]/).some((word) => {
    const flags = lists.find(wordKey(word, 0, word.length));
    return (flags & THINGS) !== 0 && (flags & LIST_FREQUENT_FIRST_NAME) === 0;
  });
}
