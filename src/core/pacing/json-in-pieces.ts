import { type JsonObject, type JsonValue, parseJson } from '../json.js';
import { isTooMuchJson, skipSpace, stringEnd } from '../json-scan.js';
import { isHeavy } from './heavy-work.js';
import { isKnownToBeLarge, keepMemberNames, MANY_MEMBERS, memberNames } from './member-names.js';
import { Pace, type Turn } from './pace.js';
import type { Steps } from './steps.js';
import { inTurns } from './steps.js';

/*
 * JSON.parse and JSON.stringify block the event loop for a fifth of a second on a body of 300,000 values. These
 * functions do the same in pieces of a few milliseconds.
 */

/** The parsed value, and whether an object in it has a key twice. */
export interface ReadJson {
  value: JsonValue;
  /** JSON.parse does not report this, nor the number of texts. */
  repeatsKeys?: boolean;
  /** The number of strings and member names. */
  texts?: number;
}

/**
 * Parses a JSON text (RFC 8259) like JSON.parse: the last of repeated keys counts. Throws a SyntaxError that names
 * the position. The caller must limit the depth.
 */
export function parseInPieces(text: string, turn: Turn): Promise<ReadJson> {
  return inTurns(parseInSteps(text), new Pace(turn));
}

const VALUES_AT_ONCE = 256;

/** Does the same in steps of a few hundred values. A long text counts as several values. */
export function* parseInSteps(text: string): Steps<ReadJson> {
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

/** Does the same as `parseJson`: undefined for text that is not JSON or exceeds a limit. Large texts are parsed in steps. */
export function* parseJsonInSteps(text: string): Steps<JsonValue | undefined> {
  return isHeavy(text.length) ? (yield* readJsonInSteps(text))?.value : parseJson(text);
}

/** Does the same, and also returns what the parser noticed about the text. */
export function* readJsonInSteps(text: string): Steps<ReadJson | undefined> {
  if (isTooMuchJson(text)) return undefined;
  yield;
  try {
    return yield* parseInSteps(text);
  } catch {
    return undefined;
  }
}

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
// Characters that may not stand in a string unescaped, and the backslash that starts an escape.
const NOT_PLAIN = /[\u0000-\u001f\\]/;
const CLOSED = 0;
const OPEN_EMPTY = 1;
const OPEN = 2;

type Container = JsonValue[] | JsonObject;

/** Each step reads one value, or the end of one container. */
class Reader {
  at = 0;
  value: JsonValue = null;
  repeatsKeys = false;
  texts = 0;
  readonly #text: string;
  readonly #stack: Container[] = [];
  readonly #keys: string[] = [];
  readonly #members: (number | string[])[] = [];
  #state = CLOSED;
  #key = '';
  /** The number of members of the open object so far, and their names where there are many. */
  #own: number | string[] = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Reads one value, or the end of one container. Returns true at the end of the text. */
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
    this.#members.push(this.#own);
    this.#own = 0;
    this.#state = OPEN_EMPTY;
  }

  #close(): void {
    const done = this.#stack.pop()!;
    if (typeof this.#own !== 'number') keepMemberNames(done as JsonObject, this.#own);
    this.#key = this.#keys.pop()!;
    this.#own = this.#members.pop()!;
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
      const repeats = Object.hasOwn(holder, key);
      if (repeats) this.repeatsKeys = true;
      // A plain assignment of this key would set the prototype and lose the member.
      if (key === '__proto__') {
        Object.defineProperty(holder, key, { value, enumerable: true, writable: true, configurable: true });
      } else {
        holder[key] = value;
      }
      if (!repeats) this.#count(holder, key);
    }
  }

  #count(holder: JsonObject, key: string): void {
    if (typeof this.#own !== 'number') this.#own.push(key);
    else if (++this.#own === MANY_MEMBERS) this.#own = Object.keys(holder);
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

  /** The message names only the position, because the text belongs to a client. */
  #fail(at = this.at): never {
    if (at >= this.#text.length) throw new SyntaxError('Unexpected end of JSON input');
    throw new SyntaxError(`Unexpected token in JSON at position ${at}`);
  }
}

/** The JSON text of a value, as JSON.stringify gives it: dates become texts, and undefined is left out. */
export function stringifyInPieces(value: JsonValue, turn: Turn): Promise<string> {
  return inTurns(stringifyInSteps(value), new Pace(turn));
}

/** Does the same in steps of a few hundred values. Small values are left to JSON.stringify, which is faster. */
export function* stringifyInSteps(value: JsonValue): Steps<string> {
  if (isLight(value)) return JSON.stringify(value);
  yield;
  const written: string[] = [];
  let pieces: string[] = [];
  const open: Writing[] = [];
  let left = VALUES_AT_ONCE;
  const write = (member: JsonValue) => {
    if (typeof member !== 'object' || member === null || (member as object) instanceof Date) {
      pieces.push(JSON.stringify(member));
    } else if ((open.at(-1)?.length ?? 0) >= MANY && isLight(member)) {
      pieces.push(JSON.stringify(member));
      left -= LIGHT_VALUES;
    } else {
      open.push(writingOf(member));
      pieces.push(Array.isArray(member) ? '[' : '{');
    }
    left -= pieces.at(-1)!.length >> 6;
  };
  write(value);
  for (let at = open.at(-1); at !== undefined; at = open.at(-1)) {
    if (--left <= 0) {
      left = VALUES_AT_ONCE;
      // Joining a million pieces at the end would be one long step.
      written.push(pieces.join(''));
      pieces = [];
      yield;
    }
    if (at.next === at.length) {
      open.pop();
      pieces.push(at.keys === undefined ? ']' : '}');
      continue;
    }
    const step = at.keys === undefined ? at.next : at.keys[at.next]!;
    at.next++;
    const member = (at.holder as JsonObject)[step];
    if (at.keys !== undefined) {
      if (member === undefined) continue;
      pieces.push(`${at.begun ? ',' : ''}${JSON.stringify(step)}:`);
    } else if (at.begun) {
      pieces.push(',');
    }
    at.begun = true;
    write(member ?? null);
  }
  return written.join('') + pieces.join('');
}

/** An array, or an object with its keys, that is being written. */
interface Writing {
  holder: Container;
  keys: readonly string[] | undefined;
  length: number;
  next: number;
  begun: boolean;
}

function writingOf(holder: Container): Writing {
  const keys = Array.isArray(holder) ? undefined : memberNames(holder);
  return { holder, keys, length: (keys ?? (holder as JsonValue[])).length, next: 0, begun: false };
}

/** Objects with up to this many members are measured before they are walked through, because most values are small. */
const MANY = 8;
/** A value with fewer values inside than this, and this many characters in each, is written in one step. */
const LIGHT_VALUES = 64;

function isLight(value: JsonValue): boolean {
  return lightLeft(value, LIGHT_VALUES) > 0;
}

/** What is left of a budget of values after this value; undefined where the value has more. */
function lightLeft(value: JsonValue, most: number): number {
  let left = most - 1;
  if (typeof value === 'string') return left - (value.length >> 8);
  if (typeof value !== 'object' || value === null) return left;
  if (Array.isArray(value)) {
    if (value.length > left) return 0;
    for (let at = 0; at < value.length && left > 0; at++) left = lightLeft(value[at]!, left);
    return left;
  }
  if (isKnownToBeLarge(value)) return 0;
  for (const key in value) {
    left = lightLeft(value[key]!, left - (key.length >> 8));
    if (left <= 0) return 0;
  }
  return left;
}
