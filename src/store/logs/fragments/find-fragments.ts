import { readKey, type Span, skipSpace, valueEnd } from '../../../core/json-scan.js';
import type { Steps } from '../../../core/pacing/steps.js';

/*
 * Finds the pieces of a request that other logs are likely to repeat. The text of the request is cut between JSON values, so
 * the pieces joined together are exactly the same text.
 */

/** Smaller pieces stay in their log: a fragment costs about 200 bytes of its own, and 29 in each log. */
const LEAST_BYTES = 1024;
/** Tools and other settings hardly change within a project, so few large fragments serve best. */
const LEAST_SETTING_BYTES = 8 * 1024;
/** Longer values are cut. Hashing as much takes less than a millisecond. */
const MOST_BYTES = 1024 * 1024;
/** The most turns of a first request. What follows its system prompt is new. */
const TURNS_OF_FIRST_REQUEST = 2;

/** Requests with fewer bytes are not searched. */
export const LEAST_REQUEST_BYTES = 2048;
/** Requests with more bytes are not searched either: they are stored as they are, compressed. */
export const MOST_REQUEST_BYTES = 16 * 1024 * 1024;

export interface Fragment extends Span {
  /** Whether it is a part of a conversation whose next request will repeat it. For other fragments that is not known. */
  isRepeated: boolean;
}

export interface RequestMember extends Span {
  name: string;
}

export interface FoundFragments {
  /** The offset after the request. */
  end: number;
  members: RequestMember[];
  /** The fragments in order. They do not overlap. */
  fragments: Fragment[];
}

/**
 * Searches the request that opens at `at`. `text` is its UTF-8 read as Latin-1, so that offsets count bytes. `turns` are
 * the members that hold a conversation turn by turn. Undefined where the text is not an object of JSON.
 */
export function* findFragments(
  text: string,
  at: number,
  turns: readonly string[],
): Steps<FoundFragments | undefined> {
  if (text[at] !== '{') return undefined;
  const members: RequestMember[] = [];
  const fragments: Fragment[] = [];
  let i = skipSpace(text, at + 1);
  while (i < text.length && text[i] !== '}') {
    const { key: name, valueStart: start } = readKey(text, i);
    const isTurns = turns.includes(name);
    const isList = text[start] === '[';
    const list = isList ? yield* findItems(text, start) : undefined;
    if (isList && list === undefined) return undefined;
    const end = list?.end ?? valueEnd(text, start);
    members.push({ name, start, end });
    if (end - start >= LEAST_BYTES) {
      if (list !== undefined) inList(text, list.items, isTurns, fragments);
      else if (!isTurns) addPieces(text, { start, end, isRepeated: false }, fragments);
    }
    yield;
    i = skipSpace(text, end);
    if (text[i] === '}') break;
    if (text[i] !== ',') return undefined;
    i = skipSpace(text, i + 1);
  }
  return text[i] === '}' ? { end: i + 1, members, fragments } : undefined;
}

/** The items of the array that opens at `at`, and the offset after it. Undefined where it is not a JSON array. */
function* findItems(text: string, at: number): Steps<{ items: Span[]; end: number } | undefined> {
  const items: Span[] = [];
  let i = skipSpace(text, at + 1);
  while (i < text.length && text[i] !== ']') {
    const end = valueEnd(text, i);
    items.push({ start: i, end });
    i = skipSpace(text, end);
    if (text[i] === ']') break;
    if (text[i] !== ',') return undefined;
    i = skipSpace(text, i + 1);
    yield;
  }
  return { items, end: i + 1 };
}

/**
 * Collects items from the first to the last, so that the fragments of a conversation stay the same while it grows. The last
 * turns stay in the log where they are too short for a fragment, and so does the question of a first request, because most
 * questions are asked only once. Tools and settings are complete in each log, so all of them become fragments.
 */
function inList(text: string, items: readonly Span[], isTurns: boolean, found: Fragment[]): void {
  const isFirst = isTurns && items.length <= TURNS_OF_FIRST_REQUEST;
  const run = new Run(text, isTurns ? LEAST_BYTES : LEAST_SETTING_BYTES, isTurns && !isFirst, found);
  for (const item of isFirst ? items.slice(0, -1) : items) run.add(item);
  if (!isTurns) run.close();
}

/** Collects items until they are enough for a fragment. */
class Run {
  #open: Span | undefined;
  #last: Fragment | undefined;

  constructor(
    private readonly text: string,
    private readonly least: number,
    private readonly isRepeated: boolean,
    private readonly found: Fragment[],
  ) {}

  add({ start, end }: Span): void {
    this.#open = { start: this.#open?.start ?? start, end };
    if (end - this.#open.start >= this.least) this.#end(this.#open);
  }

  /** Ends the collection. What was collected last becomes a fragment too, or is added to the one before. */
  close(): void {
    const open = this.#open;
    if (open === undefined) return;
    if (open.end - open.start >= LEAST_BYTES) this.#end(open);
    else if (this.#last !== undefined) this.#last.end = open.end;
  }

  #end(run: Span): void {
    this.#open = undefined;
    addPieces(this.text, { start: run.start, end: run.end, isRepeated: this.isRepeated }, this.found);
    this.#last = this.found.at(-1);
  }
}

/** Adds a fragment. A very long one is cut, but never inside a character. */
function addPieces(text: string, { start, end, isRepeated }: Fragment, found: Fragment[]): void {
  let from = start;
  while (end - from > MOST_BYTES) {
    let to = from + MOST_BYTES;
    while ((text.charCodeAt(to) & 0xc0) === 0x80) to--;
    found.push({ start: from, end: to, isRepeated });
    from = to;
  }
  found.push({ start: from, end, isRepeated });
}
