import type { JsonObject, JsonValue } from '../json.js';
import { skipSpace, stringEnd } from '../json-scan.js';
import { inTurns, Pace, type Turn } from './pace.js';

/*
 * JSON.parse and JSON.stringify take a fifth of a second for a body of 300,000 values, and nothing else happens
 * meanwhile. These do the same in pieces of some milliseconds, for bodies that are large.
 */

/** What was read, and whether an object in it has a key twice. */
export interface ReadJson {
  value: JsonValue;
  /** Not told by JSON.parse, nor is the other one. */
  repeatsKeys?: boolean;
  /** Strings and names of members. */
  texts?: number;
}

/**
 * The value of a JSON text (RFC 8259), as JSON.parse gives it: the last of repeated keys counts. Throws a SyntaxError
 * that names the place. The text's depth is bounded by its caller.
 */
export function parseInPieces(text: string, turn: Turn): Promise<ReadJson> {
  return inTurns(parseInSteps(text), new Pace(turn));
}

const VALUES_AT_ONCE = 256;

/** The same in steps of some hundred values. A long text counts as the values that it could be. */
export function* parseInSteps(text: string): Generator<void, ReadJson> {
  const reader = new Reader(text);
  for (let left = VALUES_AT_ONCE; ; left--) {
    const before = reader.at;
    if (reader.step()) {
      const { value, repeatsKeys, texts } = reader;
      return { value, repeatsKeys, texts };
    }
    left -= (reader.at - before) >> 6;
    if (left > 0) continue;
    left = VALUES_AT_ONCE;
    yield;
  }
}

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
// What may not stand in a string as it is, and what has to be read.
const NOT_PLAIN = /[\u0000-\u001f\\]/;
const CLOSED = 0;
const OPEN_EMPTY = 1;
const OPEN = 2;

type Container = JsonValue[] | JsonObject;

/** Reads one value, or one end of a container, at each step. */
class Reader {
  at = 0;
  value: JsonValue = null;
  repeatsKeys = false;
  texts = 0;
  readonly #text: string;
  readonly #stack: Container[] = [];
  readonly #keys: string[] = [];
  #state = CLOSED;
  #key = '';

  constructor(text: string) {
    this.#text = text;
  }

  /** True at the end of the text. */
  step(): boolean {
    const text = this.#text;
    this.at = skipSpace(text, this.at);
    const holder = this.#stack.at(-1);
    if (holder === undefined) {
      if (this.#state === OPEN) {
        if (this.at < text.length) this.#fail();
        return true;
      }
      this.#state = OPEN;
      this.#readValue();
      return false;
    }
    const code = text.charCodeAt(this.at);
    if (code === (Array.isArray(holder) ? 0x5d : 0x7d)) {
      this.at++;
      this.#close();
      return false;
    }
    if (this.#state === OPEN) {
      if (code !== 0x2c) this.#fail();
      this.at = skipSpace(text, this.at + 1);
    }
    this.#state = OPEN;
    if (!Array.isArray(holder)) this.#readKey();
    this.#readValue();
    return false;
  }

  #readKey(): void {
    if (this.#text.charCodeAt(this.at) !== 0x22) this.#fail();
    this.#key = this.#readString();
    this.at = skipSpace(this.#text, this.at);
    if (this.#text.charCodeAt(this.at) !== 0x3a) this.#fail();
    this.at = skipSpace(this.#text, this.at + 1);
  }

  #readValue(): void {
    switch (this.#text.charCodeAt(this.at)) {
      case 0x22:
        this.#put(this.#readString());
        break;
      case 0x7b:
        this.#open({});
        break;
      case 0x5b:
        this.#open([]);
        break;
      case 0x74:
        this.#readWord('true', true);
        break;
      case 0x66:
        this.#readWord('false', false);
        break;
      case 0x6e:
        this.#readWord('null', null);
        break;
      default:
        this.#readNumber();
    }
  }

  #open(container: Container): void {
    this.at++;
    this.#stack.push(container);
    this.#keys.push(this.#key);
    this.#state = OPEN_EMPTY;
  }

  #close(): void {
    const done = this.#stack.pop()!;
    this.#key = this.#keys.pop()!;
    this.#state = OPEN;
    this.#put(done);
  }

  #put(value: JsonValue): void {
    const holder = this.#stack.at(-1);
    if (holder === undefined) {
      this.value = value;
    } else if (Array.isArray(holder)) {
      holder.push(value);
    } else {
      const key = this.#key;
      if (Object.hasOwn(holder, key)) this.repeatsKeys = true;
      // Written plainly, this one key would set the prototype and be gone.
      if (key === '__proto__') {
        Object.defineProperty(holder, key, { value, enumerable: true, writable: true, configurable: true });
      } else {
        holder[key] = value;
      }
    }
  }

  #readString(): string {
    this.texts++;
    const start = this.at;
    const end = stringEnd(this.#text, start);
    const text = this.#text.slice(start + 1, end - 1);
    if (end - start < 2 || this.#text.charCodeAt(end - 1) !== 0x22) this.#fail(this.#text.length);
    this.at = end;
    if (!NOT_PLAIN.test(text)) return text;
    try {
      return JSON.parse(this.#text.slice(start, end)) as string;
    } catch {
      this.#fail(start);
    }
  }

  #readWord(word: string, value: JsonValue): void {
    if (!this.#text.startsWith(word, this.at)) this.#fail();
    this.at += word.length;
    this.#put(value);
  }

  #readNumber(): void {
    NUMBER.lastIndex = this.at;
    const found = NUMBER.exec(this.#text);
    if (found === null) this.#fail();
    this.at = NUMBER.lastIndex;
    this.#put(Number(found[0]));
  }

  /** The place alone: the text is a client's. */
  #fail(at = this.at): never {
    if (at >= this.#text.length) throw new SyntaxError('Unexpected end of JSON input');
    throw new SyntaxError(`Unexpected token in JSON at position ${at}`);
  }
}

/** The JSON text of a value, as JSON.stringify gives it; dates are texts, and what is undefined is left out. */
export async function stringifyInPieces(value: JsonValue, turn: Turn): Promise<string> {
  const pace = new Pace(turn);
  const pieces: string[] = [];
  const ends: string[] = [];
  const walks = [[['', value] as const][Symbol.iterator]()] as Iterator<readonly [string, JsonValue]>[];
  while (walks.length > 0) {
    const { done, value: next } = walks.at(-1)!.next();
    if (done === true) {
      walks.pop();
      pieces.push(ends.pop() ?? '');
      continue;
    }
    const [before, member] = next;
    pieces.push(before);
    if (typeof member === 'object' && member !== null && !((member as object) instanceof Date)) {
      pieces.push(Array.isArray(member) ? '[' : '{');
      ends.push(Array.isArray(member) ? ']' : '}');
      walks.push(Array.isArray(member) ? itemsOf(member) : membersOf(member));
    } else {
      pieces.push(JSON.stringify(member));
    }
    const pause = pace.pauseAmongValues(pieces.at(-1)!.length);
    if (pause !== undefined) await pause;
  }
  return pieces.join('');
}

/** Each with what stands before it. */
function* itemsOf(items: JsonValue[]): Generator<readonly [string, JsonValue]> {
  let before = '';
  for (const item of items) {
    yield [before, item];
    before = ',';
  }
}

function* membersOf(members: JsonObject): Generator<readonly [string, JsonValue]> {
  let before = '';
  for (const key of Object.keys(members)) {
    if (members[key] === undefined) continue;
    yield [`${before}${JSON.stringify(key)}:`, members[key] as JsonValue];
    before = ',';
  }
}
