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
const ZERO = 0x30;
const DOLLAR = 0x24;
const UNDERSCORE = 0x5f;

const TYPE = { double: 1, string: 2, object: 3, array: 4, boolean: 8, null: 10, int32: 16 } as const;

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

/** Keys with a meaning for the driver: references and its own classes. */
const DRIVER_KEYS = new Set(['_bsontype', '$ref', '$id']);

/** Writes the value of a member. Gets the offsets at which its type and its name go. False where it cannot be written. */
export type TakeMember = (typeAt: number, nameAt: number) => boolean;

/** Copies values from JSON text to BSON. The caller must provide the room. */
export class JsonToBson {
  from: Buffer = Buffer.alloc(0);
  /** The offset of the next byte to read. */
  at = 0;
  out: Buffer;
  /** The offset of the next byte to write. */
  end = 0;

  constructor(out: Buffer) {
    this.out = out;
  }

  /** Makes room for this many more bytes. */
  reserve(bytes: number): void {
    const { out, end } = this;
    if (out.length - end >= bytes) return;
    this.out = Buffer.allocUnsafeSlow(Math.max(2 * out.length, end + bytes));
    out.copy(this.out, 0, 0, end);
  }

  /** Converts a key and its colon to a BSON name. False where it cannot. */
  #key(): boolean {
    const { from, out } = this;
    let { at, end } = this;
    if (from[at++] !== QUOTE) return false;
    const first = from[at];
    const start = at;
    for (; at < from.length; at++) {
      const byte = from[at]!;
      if (byte === QUOTE) break;
      // An escape could stand for NUL, which BSON names cannot contain.
      if (byte === BACKSLASH) return false;
      out[end++] = byte;
    }
    if ((first === DOLLAR || first === UNDERSCORE) && DRIVER_KEYS.has(from.toString('latin1', start, at)))
      return false;
    out[end++] = 0;
    if (from[at + 1] !== COLON) return false;
    this.at = at + 2;
    this.end = end;
    return true;
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

  /** Ends a document or array that began with four bytes for its length. */
  close(startedAt: number): void {
    this.out[this.end++] = 0;
    this.int32(this.end - startedAt, startedAt);
  }

  int32(value: number, at: number): void {
    const { out } = this;
    out[at] = value;
    out[at + 1] = value >> 8;
    out[at + 2] = value >> 16;
    out[at + 3] = value >> 24;
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
    if (this.from[this.at] === BRACKET && this.nameAt(nameAt) in Object.prototype) return false;
    return this.value(typeAt, depth);
  }

  /** The name that was written last, which begins at `start`. */
  nameAt(start: number): string {
    return this.out.toString('latin1', start, this.end - 1);
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
        this.#name(index);
        if (!this.value(typeAt, depth + 1)) return false;
        const next = from[this.at++];
        if (next === BRACKET_END) break;
        if (next !== COMMA) return false;
      }
    }
    this.close(startedAt);
    return true;
  }

  /** Writes the name of an item of an array. */
  #name(index: number): void {
    const { out } = this;
    if (index < 10) out[this.end++] = ZERO + index;
    else for (const digit of String(index)) out[this.end++] = digit.charCodeAt(0);
    out[this.end++] = 0;
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
    let at = digits;
    let value = 0;
    for (; at - digits < MAX_DIGITS; at++) {
      const digit = from[at]! - ZERO;
      if (!(digit >= 0 && digit <= 9)) break;
      value = value * 10 + digit;
    }
    const isWhole = at > digits && isEnd(from[at]);
    if (!isWhole || (isNegative && value === 0)) {
      while (at < from.length && !isEnd(from[at])) at++;
      value = Number(from.toString('latin1', start, at));
      if (at === start || !Number.isFinite(value)) return false;
    } else if (isNegative) value = -value;
    this.at = at;
    // -0 is not an integer: BSON stores it as a double.
    if (value === (value | 0) && !Object.is(value, -0)) {
      this.out[typeAt] = TYPE.int32;
      this.int32(value, this.end);
      this.end += 4;
    } else {
      this.out[typeAt] = TYPE.double;
      this.end = this.out.writeDoubleLE(value, this.end);
    }
    return true;
  }
}

function isEnd(byte: number | undefined): boolean {
  return byte === COMMA || byte === BRACE_END || byte === BRACKET_END;
}
