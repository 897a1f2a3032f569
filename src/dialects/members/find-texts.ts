import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json.js';
import { isEmptyObject, MANY_MEMBERS, memberNames } from '../../core/pacing/member-names.js';
import type { Steps } from '../../core/pacing/steps.js';
import { atOnce } from '../../core/pacing/steps.js';
import type { DeepPath } from '../wire/splice.js';
import { textInAddress } from './files/text-in-address.js';
import { type EncodedText, textInBytes } from './files/text-in-bytes.js';
import { isWord, type Known, Members } from './members.js';

/** For each object and array inside a value, the members that are skipped. */
export type Skipped = ReadonlyMap<object, ReadonlySet<string | number>>;

export interface FoundText {
  text: string;
  path: DeepPath;
  /** Set where the text is the name of a member. */
  key?: true;
  /** Encodes a changed text, where the text is that of a file. */
  encode?: EncodedText['encode'];
}

const NONE: readonly string[] = [];

const VALUES_AT_ONCE = 500;
/** A part of a long list with at most this many values is read in one step. */
const FEW_VALUES = 32;
/** From this value on, a number has at least nine digits and so might identify a person. */
const LONG_NUMBER = 100_000_000;

/** How many levels of objects are read without a walk, such as the details of `usage`. */
const FEW_LEVELS = 2;
/** The most items of a list that are read without a walk, such as the choices of an answer. */
const FEW_ITEMS = 4;
/** The most members of an object whose texts are listed at once. */
const FEW_MEMBERS = 8;

interface Left {
  value: JsonValue;
  at: DeepPath;
  known: Known | undefined;
  holder: JsonObject;
}

/**
 * The texts inside a value that a person or a model may have written: all strings except those of which `known` says
 * that they are not text, the text in files that are written as strings, and what people wrote into the URLs of
 * files. Where nothing is known about the members, long numbers and the names of members count too.
 */
export function findTexts(
  value: JsonValue,
  path: DeepPath,
  known: Known | undefined,
  skipped?: Skipped,
): FoundText[] {
  return atOnce(findTextsInSteps(value, path, known, skipped));
}

/** Does the same in steps of a few hundred values. */
export function* findTextsInSteps(
  value: JsonValue,
  path: DeepPath,
  known: Known | undefined,
  skipped?: Skipped,
): Steps<FoundText[]> {
  const found: FoundText[] = [];
  let count = 0;
  // A list of what is left to do, and not recursion, because a client decides how deep a value is.
  const left: Left[] = [{ value, at: path, known, holder: {} }];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    if (++count % VALUES_AT_ONCE === 0) yield;
    const { value: inside, at } = next;
    if (typeof inside === 'string') {
      if (inside === '') continue;
      if (!isNoText(inside, next)) found.push({ text: inside, path: at });
      else if (holdsFiles(next.known)) {
        const file = textInBytes(inside, next.holder) ?? textInAddress(inside);
        if (file !== undefined) found.push({ ...file, path: at });
      }
    } else if (typeof inside === 'number') {
      if (isShown(inside, next.known)) found.push({ text: String(inside), path: at });
    } else if (typeof inside === 'object' && inside !== null) {
      if (isWhole(next.known)) continue;
      const skip = skipped?.get(inside);
      const names = Array.isArray(inside) ? undefined : memberNames(inside);
      if (names !== undefined && skip === undefined && listStrings(inside as JsonObject, names, next, found))
        continue;
      // In reverse order, because values are taken from the end of the list.
      for (let end = (names ?? (inside as JsonValue[])).length; end > 0; end -= VALUES_AT_ONCE) {
        const start = Math.max(0, end - VALUES_AT_ONCE);
        if (names === undefined) listItems(inside as JsonValue[], start, end, next, skip, left);
        else {
          const some = names.length <= VALUES_AT_ONCE ? names : names.slice(start, end);
          listMembers(inside as JsonObject, some, next, skip, left, found);
        }
        if (start > 0) yield;
      }
    }
  }
  if (count > FEW_VALUES) yield;
  return found;
}

function isWhole(known: Known | undefined): boolean {
  return known !== undefined && 'whole' in known;
}

function holdsFiles(known: Known | undefined): boolean {
  return (known instanceof Members ? known.string : known)?.files === true;
}

function isNoText(value: string, { known, holder }: Pick<Left, 'known' | 'holder'>): boolean {
  if (known === undefined) return false;
  return (known instanceof Members ? known.string : known).isNoText(value, holder);
}

/** Whether a string is neither text nor a file that may contain text. */
function isPassedBy(value: JsonValue, known: Known | undefined, holder: JsonObject): boolean {
  if (typeof value !== 'string') return false;
  return value === '' || (isNoText(value, { known, holder }) && !holdsFiles(known));
}

function listItems(
  items: JsonValue[],
  start: number,
  end: number,
  { at, known, holder }: Left,
  skip: SkippedHere,
  left: Left[],
): void {
  for (let index = end - 1; index >= start; index--) {
    if (skip?.has(index)) continue;
    const value = items[index]!;
    if (!isShown(value, known)) continue;
    left.push({ value, at: { within: at, step: index }, known, holder });
  }
}

function listMembers(
  holder: JsonObject,
  keys: readonly string[],
  { at, known }: Left,
  skip: SkippedHere,
  left: Left[],
  found: FoundText[],
): void {
  const members = known instanceof Members ? known : undefined;
  for (let index = keys.length - 1; index >= 0; index--) {
    const key = keys[index]!;
    const own = members?.known.get(key);
    // The text was read already. Its name was not, where it is none of the API's.
    const isRead = skip?.has(key) === true;
    if (isRead && own !== undefined) continue;
    const value = holder[key]!;
    const memberKnown = own ?? members?.others;
    const isHidden = own === undefined && isWhole(memberKnown);
    const namesText = own === undefined && !isHidden && !isWord(key) && key !== '';
    const shown = !isRead && isShown(value, memberKnown) && !isPassedBy(value, memberKnown, holder);
    if (!namesText && !shown) continue;
    const path: DeepPath = { within: at, step: key };
    if (namesText) found.push({ text: key, path, key: true });
    if (shown) left.push({ value, at: path, known: memberKnown, holder });
  }
}

/**
 * Most objects that hold texts have only known members with strings, such as a message. Their texts are listed at
 * once. Returns false, and lists nothing, for any other object.
 */
function listStrings(
  holder: JsonObject,
  keys: readonly string[],
  { at, known: members }: Left,
  found: FoundText[],
): boolean {
  if (keys.length > FEW_MEMBERS || !(members instanceof Members)) return false;
  for (const key of keys) {
    const known = members.known.get(key);
    if (known === undefined || typeof holder[key] !== 'string' || holdsFiles(known)) return false;
  }
  for (const key of keys) {
    const text = holder[key] as string;
    if (text === '' || isNoText(text, { known: members.known.get(key), holder })) continue;
    found.push({ text, path: { within: at, step: key } });
  }
  return true;
}

/** Whether the value can contain text: most members of a large body are short numbers, or empty. */
function isShown(value: JsonValue, known: Known | undefined): boolean {
  if (typeof value === 'number') return known === undefined && Math.abs(value) >= LONG_NUMBER;
  return typeof value === 'string' || (typeof value === 'object' && value !== null && !isEmpty(value));
}

function isEmpty(value: JsonObject | JsonValue[]): boolean {
  // A loop over the names of an array would first create a name for each item.
  return Array.isArray(value) ? value.length === 0 : isEmptyObject(value);
}

type SkippedHere = ReadonlySet<string | number> | undefined;

/**
 * Whether an object contains no texts beside these members, as most objects do not. Returns false where finding out
 * would take a walk.
 */
export function hasNoOtherTexts(
  read: readonly string[],
  holder: JsonObject,
  known: Members,
  levels = FEW_LEVELS,
  said: readonly string[] = NONE,
): boolean {
  const keys = memberNames(holder);
  if (keys.length >= MANY_MEMBERS) return false;
  return keys.every((key) => {
    if (read.includes(key)) return true;
    const own = known.known.get(key);
    const member = own ?? known.others;
    const value = holder[key]!;
    if (own === undefined && !isWhole(member) && !isWord(key) && key !== '') return false;
    if (!isShown(value, member) || isPassedBy(value, member, holder)) return true;
    if (typeof value === 'string') return said.includes(value);
    if (typeof value !== 'object' || value === null) return false;
    if (isWhole(member)) return true;
    if (levels === 0 || !(member instanceof Members)) return false;
    return Array.isArray(value)
      ? haveNoOtherTexts(value, member, levels - 1, said)
      : hasNoOtherTexts(NONE, value, member, levels - 1, said);
  });
}

/** Whether none of the few items of a list contains another text. */
function haveNoOtherTexts(
  items: readonly JsonValue[],
  known: Members,
  levels: number,
  said: readonly string[],
): boolean {
  if (items.length > FEW_ITEMS) return false;
  return items.every((item) =>
    isJsonObject(item) ? hasNoOtherTexts(NONE, item, known, levels, said) : !isShown(item, known),
  );
}
