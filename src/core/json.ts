import { countMembers, isTooMuchJson, type JsonOutline, scanMembers } from './json-scan.js';

export type JsonValue = null | boolean | number | string | JsonValue[] | JsonObject;
export type JsonObject = { [key: string]: JsonValue };

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Parses text from outside. Undefined for text that is not JSON or exceeds a limit (`isTooMuchJson`). */
export function parseJson(text: string): JsonValue | undefined {
  if (isTooMuchJson(text)) return undefined;
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

/** The value of a JSON text, or the text itself where it is not JSON, as models sometimes write arguments. */
export function parsedOrText(text: string): JsonValue {
  const value = parseJson(text);
  return value === undefined ? text : value;
}

/** The token of a JSON pointer (RFC 6901) for a key. */
export function pointerToken(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** The key for a token of a JSON pointer. */
export function keyOfToken(token: string): string {
  return token.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** JSON text with its parsed value, so that it is parsed once and edited without being written again. */
export interface JsonDocument {
  readonly text: string;
  readonly value: JsonObject;
  /** The UTF-8 as which it came, where that is kept. */
  readonly bytes?: Buffer;
  /** Whether an object in it has a repeated key; undefined where the parser does not report it. */
  readonly repeatsKeys?: boolean;
  /** The number of its strings and member names, where the parser counted them. */
  readonly texts?: number;
  /** The places of its members, where a scan of the text has found them. */
  readonly outline?: JsonOutline;
}

/** The length of a document in bytes or UTF-16 units, for estimates of the work. Never decodes its text. */
export function lengthOf(document: JsonDocument): number {
  return document.bytes?.length ?? document.text.length;
}

/**
 * Edits top-level members of an object in its text. Every other byte stays as it was, such as the spelling of
 * numbers. `changes` maps a key to its new JSON text, or to undefined to remove it. A new key is added at the front.
 * The text must be a valid JSON object; `outline` is that of the same text.
 */
export function editMembers(
  text: string,
  changes: ReadonlyMap<string, string | undefined>,
  outline?: JsonOutline,
): string {
  // One join copies the text once. A template string around it would copy it again.
  return editedMembers(text, changes, outline).join('');
}

/** Does the same and returns the text in pieces. */
export function editedMembers(
  text: string,
  changes: ReadonlyMap<string, string | undefined>,
  outline?: JsonOutline,
): string[] {
  const pieces: string[] = [];
  const add = (...members: string[]) => pieces.push(pieces.length === 0 ? '{' : ',', ...members);
  const seen = new Set<string>();
  // Members that stay are copied in one run: a body may have a hundred thousand of them.
  let from = -1;
  let until = -1;
  const keepRun = () => {
    if (from !== -1) add(text.slice(from, until));
    from = -1;
  };
  const keys = [...changes.keys()];
  const take = (key: string | undefined, start: number, valueStart: number, end: number) => {
    if (key === undefined) {
      if (from === -1) from = start;
      until = end;
      return;
    }
    keepRun();
    const replacement = changes.get(key);
    // A repeated key is written once, because parsers differ in which of the two they use.
    if (replacement !== undefined && !seen.has(key)) add(text.slice(start, valueStart), replacement);
    seen.add(key);
  };
  if (outline?.members === undefined) scanMembers(text, text.indexOf('{'), keys, take);
  else
    for (const { key, start, valueStart, end } of outline.members)
      take(changes.has(key) ? key : undefined, start, valueStart, end);
  keepRun();
  const added: string[] = [];
  for (const [key, value] of changes) {
    if (value !== undefined && !seen.has(key))
      added.push(added.length === 0 ? '{' : ',', `${JSON.stringify(key)}:${value}`);
  }
  if (added.length > 0 && pieces.length > 0) pieces[0] = ',';
  const all = [...added, ...pieces];
  return all.length === 0 ? ['{}'] : [...all, '}'];
}

/** The JSON text of one top-level member as it was written, or undefined. The last one of repeated keys counts. */
export function memberText(text: string, key: string): string | undefined {
  let found: string | undefined;
  scanMembers(text, text.indexOf('{'), [key], (name, _start, valueStart, end) => {
    if (name !== undefined) found = text.slice(valueStart, end);
  });
  return found;
}

/**
 * The document without repeated keys, because parsers differ in which of them they use, and plugins have seen only
 * the last one.
 */
export function withoutRepeatedKeys(document: JsonDocument): JsonDocument {
  const { text, value, outline } = document;
  const { repeatsKeys = (outline?.plainKeys ?? countMembers(text)) !== countKeys(value) } = document;
  return repeatsKeys ? { text: JSON.stringify(value), value, repeatsKeys: false } : document;
}

/** The number of members of all objects in a value. */
export function countKeys(value: JsonValue): number {
  let count = 0;
  const left: JsonValue[] = [value];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    if (Array.isArray(next)) {
      for (const item of next) if (typeof item === 'object' && item !== null) left.push(item);
    } else if (isJsonObject(next)) {
      // Objects from parsed JSON have only own members, so `for … in` is right.
      for (const key in next) {
        count++;
        const member = next[key]!;
        if (typeof member === 'object' && member !== null) left.push(member);
      }
    }
  }
  return count;
}

/**
 * The path of a number in metadata that a log cannot keep, such as `metadata.a.0`: JSON allows numbers beyond
 * 1.8e308, which would be stored as null. Undefined where there is none.
 */
export function tooLargeNumber(value: JsonValue, path: string): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : path;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, member] of Object.entries(value)) {
    const found = tooLargeNumber(member, `${path}.${key}`);
    if (found !== undefined) return found;
  }
  return undefined;
}
