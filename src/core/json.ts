export type JsonValue = null | boolean | number | string | JsonValue[] | JsonObject;
export type JsonObject = { [key: string]: JsonValue };

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** JSON text together with its parsed value, so that it is parsed once and edited without being printed anew. */
export interface JsonDocument {
  readonly text: string;
  readonly value: JsonObject;
}

/** Where a top-level member of an object stands in its text. `end` is exclusive; offsets are UTF-16 units. */
interface MemberSpan {
  key: string;
  /** Start of the key's opening quote. */
  start: number;
  valueStart: number;
  end: number;
}

/**
 * Edits top-level members of an object in its text: every byte that is not ours stays as it came, such as
 * the spelling of numbers. `changes` maps a key to its new JSON text, or to undefined to take it out; a key
 * that is not there is added at the front. The text must be a valid JSON object.
 */
export function editMembers(text: string, changes: ReadonlyMap<string, string | undefined>): string {
  const pieces: string[] = [];
  const seen = new Set<string>();
  for (const span of memberSpans(text)) {
    if (!changes.has(span.key)) {
      pieces.push(text.slice(span.start, span.end));
      continue;
    }
    const replacement = changes.get(span.key);
    // A repeated key is written once: parsers differ in which of the two they believe.
    if (replacement !== undefined && !seen.has(span.key)) {
      pieces.push(text.slice(span.start, span.valueStart) + replacement);
    }
    seen.add(span.key);
  }
  const added: string[] = [];
  for (const [key, value] of changes) {
    if (value !== undefined && !seen.has(key)) added.push(`${JSON.stringify(key)}:${value}`);
  }
  return `{${[...added, ...pieces].join(',')}}`;
}

/** The JSON text of one top-level member, as it was written, or undefined. The last of repeated keys counts. */
export function memberText(text: string, key: string): string | undefined {
  let found: string | undefined;
  for (const span of memberSpans(text)) {
    if (span.key === key) found = text.slice(span.valueStart, span.end);
  }
  return found;
}

function* memberSpans(text: string): Generator<MemberSpan> {
  let at = skipSpace(text, text.indexOf('{') + 1);
  while (at < text.length && text[at] !== '}') {
    const start = at;
    const keyEnd = stringEnd(text, at);
    const key = JSON.parse(text.slice(start, keyEnd)) as string;
    const valueStart = skipSpace(text, skipSpace(text, keyEnd) + 1);
    const end = valueEnd(text, valueStart);
    yield { key, start, valueStart, end };
    at = skipSpace(text, end);
    if (text[at] === ',') at = skipSpace(text, at + 1);
  }
}

function skipSpace(text: string, at: number): number {
  let i = at;
  for (; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) break;
  }
  return i;
}

/** The offset behind a string that starts at `at`; jumps from quote to quote, since strings can be megabytes. */
function stringEnd(text: string, at: number): number {
  for (let quote = text.indexOf('"', at + 1); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(quote - 1 - backslashes) === 0x5c) backslashes++;
    if (backslashes % 2 === 0) return quote + 1;
  }
  return text.length;
}

function valueEnd(text: string, at: number): number {
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
  return text.length;
}

function trimEnd(text: string, start: number, end: number): number {
  let i = end;
  while (i > start && skipSpace(text, i - 1) >= end) i--;
  return i;
}
