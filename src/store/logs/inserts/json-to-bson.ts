import { BsonWriter, TYPE } from './bson-writer.js';

/*
 * Converts JSON text to BSON without an object in between. It takes the output of `JSON.stringify` in UTF-8: no white
 * space, no repeated keys, lone surrogates as escapes. Where BSON would not return the value unchanged, or that is
 * not obvious, it returns `false`, and the text has to be parsed.
 */

/** The most bytes of BSON per byte of JSON: `0,` is an element of up to 13. */
export const MOST_GROWTH = 7;

/** The greatest depth that is converted. MongoDB allows 100 levels in a document. */
const MAX_DEPTH = 80;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const BRACE = 0x7b;
const BRACE_END = 0x7d;
const BRACKET = 0x5b;
const BRACKET_END = 0x5d;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const DOLLAR = 0x24;
const UNDERSCORE = 0x5f;

/** Escapes that stand for one byte, by the letter after the backslash. */
const ESCAPES = new Map([
  [QUOTE, QUOTE],
  [BACKSLASH, BACKSLASH],
  [0x62, 0x08],
  [0x66, 0x0c],
  [0x6e, 0x0a],
  [0x72, 0x0d],
  [0x74, 0x09],
]);
const UNICODE_ESCAPE = 0x75;

/** The most digits that a double represents exactly. */
const MAX_DIGITS = 15;
const POWERS = Array.from({ length: MAX_DIGITS + 1 }, (_none, power) => 10 ** power);

/** Keys with a meaning for the driver: references and its own classes. */
const DRIVER_KEYS = ['_bsontype', '$ref', '$id'];
/** Names that every object inherits. */
const INHERITED = Object.getOwnPropertyNames(Object.prototype);

/** Writes the value of a member. Gets the offsets at which its type and its name go. False where it cannot be written. */
export type TakeMember = (typeAt: number, nameAt: number) => boolean;

/** Copies values from JSON text to BSON. The caller must provide the room. */
export class JsonToBson extends BsonWriter {
  from: Buffer = Buffer.alloc(0);
  /** The offset of the next byte to read. */
  at = 0;

  /** Converts a key and its colon to a BSON name. False where it cannot. */
  #key(): boolean {
    const { from, out } = this;
    let { at, end } = this;
    const nameAt = end;
    if (from[at++] !== QUOTE) return false;
    for (; at < from.length; at++) {
      const byte = from[at]!;
      if (byte === QUOTE) break;
      // An escape could stand for NUL, which BSON names cannot contain.
      if (byte === BACKSLASH) return false;
      out[end++] = byte;
    }
    out[end++] = 0;
    if (from[at + 1] !== COLON) return false;
    this.at = at + 2;
    this.end = end;
    const first = out[nameAt];
    return !(first === DOLLAR || first === UNDERSCORE) || !this.isNamedAmong(nameAt, DRIVER_KEYS);
  }

  /** Converts the value that begins here. Its type is written to `typeAt`. */
  value(typeAt: number, depth: number): boolean {
    const { from, out, at } = this;
    switch (from[at]) {
      case QUOTE:
        out[typeAt] = TYPE.string;
        return this.#string();
      case BRACE:
        out[typeAt] = TYPE.object;
        return this.object(depth);
      case BRACKET:
        out[typeAt] = TYPE.array;
        return this.#array(depth);
      case 0x74:
        return this.#literal(typeAt, TYPE.boolean, 'true');
      case 0x66:
        return this.#literal(typeAt, TYPE.boolean, 'false');
      case 0x6e:
        return this.#literal(typeAt, TYPE.null, 'null');
      default:
        return this.#number(typeAt);
    }
  }

  /** Converts an object. `take` writes members that need special treatment. */
  object(depth: number, take?: TakeMember): boolean {
    if (depth >= MAX_DEPTH) return false;
    const { from, end: startedAt } = this;
    this.end += 4;
    if (from[this.at++] !== BRACE) return false;
    if (from[this.at] === BRACE_END) this.at++;
    else {
      for (;;) {
        const typeAt = this.end++;
        const nameAt = this.end;
        if (!this.#key()) return false;
        if (!(take === undefined ? this.member(typeAt, nameAt, depth + 1) : take(typeAt, nameAt)))
          return false;
        const next = from[this.at++];
        if (next === BRACE_END) break;
        if (next !== COMMA) return false;
      }
    }
    this.close(startedAt);
    return true;
  }

  /** Converts the value of a member of any object. */
  member(typeAt: number, nameAt: number, depth: number): boolean {
    // The driver returns an array as bytes where its key is a name that every object inherits.
    if (this.from[this.at] === BRACKET && this.isNamedAmong(nameAt, INHERITED)) return false;
    return this.value(typeAt, depth);
  }

  /** Whether the name that was written last, which begins at `start`, is one of these. */
  isNamedAmong(start: number, names: readonly string[]): boolean {
    for (const name of names) if (this.isNamed(start, name)) return true;
    return false;
  }

  #array(depth: number): boolean {
    if (depth >= MAX_DEPTH) return false;
    const { from, end: startedAt } = this;
    this.end += 4;
    this.at++;
    if (from[this.at] === BRACKET_END) this.at++;
    else {
      for (let index = 0; ; index++) {
        const typeAt = this.end++;
        this.index(index);
        if (!this.value(typeAt, depth + 1)) return false;
        const next = from[this.at++];
        if (next === BRACKET_END) break;
        if (next !== COMMA) return false;
      }
    }
    this.close(startedAt);
    return true;
  }

  #string(): boolean {
    const { from, out, end: startedAt } = this;
    const { length } = from;
    let at = this.at + 1;
    let end = startedAt + 4;
    for (;;) {
      if (at >= length) return false;
      const byte = from[at++]!;
      if (byte === QUOTE) break;
      if (byte !== BACKSLASH) {
        out[end++] = byte;
        continue;
      }
      const letter = from[at++]!;
      const short = ESCAPES.get(letter);
      if (short !== undefined) out[end++] = short;
      else if (letter !== UNICODE_ESCAPE) return false;
      else {
        const unit = Number.parseInt(from.toString('latin1', at, at + 4), 16);
        // Only lone surrogates and control characters are written as escapes.
        if (!(unit < 0x80)) return false;
        out[end++] = unit;
        at += 4;
      }
    }
    out[end++] = 0;
    this.int32(end - startedAt - 4, startedAt);
    this.at = at;
    this.end = end;
    return true;
  }

  #literal(typeAt: number, type: number, text: 'true' | 'false' | 'null'): boolean {
    const { from, out, at } = this;
    for (let index = 1; index < text.length; index++) {
      if (from[at + index] !== text.charCodeAt(index)) return false;
    }
    out[typeAt] = type;
    if (type === TYPE.boolean) out[this.end++] = text === 'true' ? 1 : 0;
    this.at = at + text.length;
    return true;
  }

  #number(typeAt: number): boolean {
    const { from } = this;
    const start = this.at;
    const isNegative = from[start] === MINUS;
    const digits = isNegative ? start + 1 : start;
    let end = digits;
    let value = 0;
    for (; end - digits < MAX_DIGITS && isDigit(from[end]); end++) value = value * 10 + from[end]! - ZERO;
    let decimals = 0;
    if (from[end] === POINT) {
      const behind = end + 1;
      for (end = behind; end - digits <= MAX_DIGITS && isDigit(from[end]); end++)
        value = value * 10 + from[end]! - ZERO;
      decimals = end - behind;
    }
    const isRead = end > digits && isEnd(from[end]);
    if (isRead && !(isNegative && value === 0)) {
      // Both are exact, so their quotient is the double that is nearest to the text.
      if (decimals > 0) value /= POWERS[decimals]!;
      if (isNegative) value = -value;
    } else {
      while (end < from.length && !isEnd(from[end])) end++;
      value = Number(from.toString('latin1', start, end));
      if (end === start || !Number.isFinite(value)) return false;
    }
    this.at = end;
    this.number(typeAt, value);
    return true;
  }
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= ZERO && byte <= NINE;
}

function isEnd(byte: number | undefined): boolean {
  return byte === COMMA || byte === BRACE_END || byte === BRACKET_END;
}
