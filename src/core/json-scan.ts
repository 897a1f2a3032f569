/*
 * Finds the places of values in JSON text without parsing it. The text must be valid JSON, except for the functions
 * about bounds. Offsets are UTF-16 units, and ends are exclusive.
 */

export interface Span {
  start: number;
  end: number;
}

export interface MemberSpan extends Span {
  key: string;
  /** `start` is the opening quote of the key. */
  valueStart: number;
}

/** What one pass over the text of a JSON object has found. Correct only where the text is valid JSON. */
export interface JsonOutline {
  /** The top-level members, including repeated ones; undefined where there are many. */
  readonly members: readonly MemberSpan[] | undefined;
  /**
   * The number of keys on all levels. Undefined where `JSON.stringify` would write the text differently outside of
   * its strings: because of white space, the spelling of a number, or a key that may be a whole number, which
   * JavaScript puts first.
   */
  readonly plainKeys: number | undefined;
}

/** The members of the object that opens at `at`, repeated keys too. */
export function* memberSpans(text: string, at: number): Generator<MemberSpan> {
  let i = skipSpace(text, at + 1);
  while (i < text.length && text[i] !== '}') {
    const start = i;
    const { key, valueStart } = readKey(text, i);
    const end = valueEnd(text, valueStart);
    yield { key, start, valueStart, end };
    i = skipSpace(text, end);
    if (text[i] === ',') i = skipSpace(text, i + 1);
  }
}

/**
 * Calls `take` for each member of the object that opens at `at`, including repeated ones, with its key where that is
 * one of `keys`. For objects with many members: other keys are not even created as strings.
 */
export function scanMembers(
  text: string,
  at: number,
  keys: readonly string[],
  take: (key: string | undefined, start: number, valueStart: number, end: number) => void,
): void {
  let i = skipSpace(text, at + 1);
  while (i < text.length && text.charCodeAt(i) !== 0x7d) {
    const start = i;
    const keyEnd = plainEnd(text, start);
    let key: string | undefined;
    if (keyEnd === -1) {
      const written = readKey(text, start).key;
      key = keys.includes(written) ? written : undefined;
    } else {
      key = keys.find((one) => one.length === keyEnd - start - 2 && text.startsWith(one, start + 1));
    }
    const valueStart = skipSpace(text, skipSpace(text, keyEnd === -1 ? stringEnd(text, start) : keyEnd) + 1);
    const end = valueEnd(text, valueStart);
    take(key, start, valueStart, end);
    i = skipSpace(text, end);
    if (text.charCodeAt(i) === 0x2c) i = skipSpace(text, i + 1);
  }
}

/** The offset after a string without escapes that starts at `at`; -1 where it has an escape. */
function plainEnd(text: string, at: number): number {
  for (let i = at + 1; ; i++) {
    const code = text.charCodeAt(i);
    if (code === 0x22) return i + 1;
    if (code === 0x5c || i >= text.length) return -1;
  }
}

/** The key that starts at `at`, and the offset of its value. */
export function readKey(text: string, at: number): { key: string; valueStart: number } {
  const end = stringEnd(text, at);
  const written = text.slice(at + 1, end - 1);
  const key = written.includes('\\') ? (JSON.parse(text.slice(at, end)) as string) : written;
  return { key, valueStart: skipSpace(text, skipSpace(text, end) + 1) };
}

/** The items of the array that opens at `at`. */
export function* itemSpans(text: string, at: number): Generator<Span> {
  let i = skipSpace(text, at + 1);
  while (i < text.length && text[i] !== ']') {
    const start = i;
    const end = valueEnd(text, start);
    yield { start, end };
    i = skipSpace(text, end);
    if (text[i] === ',') i = skipSpace(text, i + 1);
  }
}

export function skipSpace(text: string, at: number): number {
  let i = at;
  while (i < text.length && isSpace(text.charCodeAt(i))) i++;
  return i;
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

/** A jump costs as much as this many single steps. */
const STEPS_BEHIND_ESCAPED_QUOTE = 32;

/**
 * The offset after a string that starts at `at`. Strings can be megabytes, so it jumps from quote to quote. After an
 * escaped quote it continues in single steps for a while, because some texts have one at every second character.
 */
export function stringEnd(text: string, at: number): number {
  let from = at + 1;
  for (let quote = text.indexOf('"', from); quote !== -1; quote = text.indexOf('"', from)) {
    let backslashes = 0;
    while (quote - 1 - backslashes >= from && text.charCodeAt(quote - 1 - backslashes) === 0x5c)
      backslashes++;
    if (backslashes % 2 === 0) return quote + 1;
    from = quote + 1;
    const pause = from + STEPS_BEHIND_ESCAPED_QUOTE;
    while (from < pause && from < text.length) {
      const code = text.charCodeAt(from);
      if (code === 0x22) return from + 1;
      from += code === 0x5c ? 2 : 1;
    }
  }
  return text.length;
}

/** The offset after the value that starts at `at`, without trailing space. */
export function valueEnd(text: string, at: number): number {
  let depth = 0;
  for (let i = at; i < text.length; i++) {
    switch (text.charCodeAt(i)) {
      case 0x22: // "
        i = stringEnd(text, i) - 1;
        if (depth === 0) return i + 1;
        break;
      case 0x7b: // {
      case 0x5b: // [
        depth++;
        break;
      case 0x7d: // }
      case 0x5d: // ]
        if (depth === 0) return trimEnd(text, at, i);
        depth--;
        if (depth === 0) return i + 1;
        break;
      case 0x2c: // ,
        if (depth === 0) return trimEnd(text, at, i);
        break;
    }
  }
  return trimEnd(text, at, text.length);
}

function trimEnd(text: string, start: number, end: number): number {
  let i = end;
  while (i > start && isSpace(text.charCodeAt(i - 1))) i--;
  return i;
}

/** The number of members of all objects in a text, including repeated keys. */
export function countMembers(text: string): number {
  let count = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 0x22) i = stringEnd(text, i) - 1;
    else if (code === 0x3a) count++;
  }
  return count;
}

/** Deeper text is refused: JSON.stringify and other code overflows the stack at some thousand levels. */
export const MAX_JSON_DEPTH = 1_000;

/**
 * The limit for JSON that is not a client's body: more values than an answer with the probabilities of all its
 * tokens.
 */
export const MAX_JSON_VALUES = 3_000_000;

/** Whether a text, JSON or not, has more levels or values than the engine reads from anybody. */
export function isTooMuchJson(text: string): boolean {
  return text.length > MAX_JSON_DEPTH && scanBounds(text, MAX_JSON_VALUES) !== undefined;
}

/** Whether a text, JSON or not, opens more levels than `MAX_JSON_DEPTH`. Checked before parsing, which is expensive. */
export function nestsTooDeep(text: string): boolean {
  return text.length > MAX_JSON_DEPTH && scanBounds(text, Number.POSITIVE_INFINITY) === 'depth';
}

/**
 * Which limit a text, JSON or not, exceeds: its levels (`MAX_JSON_DEPTH`), or its values, which are all objects,
 * arrays, strings, numbers, booleans and nulls. Checked in one pass before parsing, because many small values cost a
 * hundred times their bytes.
 */
export function scanBounds(text: string, maxValues: number): 'depth' | 'values' | undefined {
  let depth = 0;
  let values = 1;
  for (let i = 0; i < text.length; i++) {
    switch (text.charCodeAt(i)) {
      case 0x22: // "
        i = stringEnd(text, i) - 1;
        break;
      case 0x2c: // ,
        values++;
        break;
      case 0x7b: // {
      case 0x5b: // [
        if (++depth > MAX_JSON_DEPTH) return 'depth';
        if (!opensEmpty(text, i)) values++;
        break;
      case 0x7d: // }
      case 0x5d: // ]
        depth--;
        break;
    }
    if (values > maxValues) return 'values';
  }
  return undefined;
}

/** The message for a text that exceeds a limit. The name of the text must be put before it. */
export function overBound(bound: 'depth' | 'values', maxValues: number): string {
  return bound === 'depth'
    ? `nests more than ${MAX_JSON_DEPTH} levels deep`
    : `has more than ${maxValues} JSON values`;
}

/** Whether the object or array that opens at `at` is empty. */
export function opensEmpty(text: string, at: number): boolean {
  const code = text.charCodeAt(skipSpace(text, at + 1));
  return code === 0x7d || code === 0x5d;
}
