/** The types of BSON that are written here, as the byte in front of a name. */
export const TYPE = {
  double: 1,
  string: 2,
  object: 3,
  array: 4,
  boolean: 8,
  date: 9,
  null: 10,
  int32: 16,
} as const;

/** The most bytes of UTF-8 for a UTF-16 unit. */
const BYTES_OF_UNIT = 3;
/** A member of a few bytes besides its name and texts: type, length, number, NUL. */
const BYTES_BESIDES = 16;
const ZERO = 0x30;

/** Writes BSON into a buffer that grows. */
export class BsonWriter {
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

  /** Writes a number in the form that the driver chooses. Its type goes to `typeAt`. */
  number(typeAt: number, value: number): void {
    // -0 is not an integer: BSON stores it as a double.
    if (value === (value | 0) && !Object.is(value, -0)) {
      this.out[typeAt] = TYPE.int32;
      this.int32(value, this.end);
      this.end += 4;
    } else {
      this.out[typeAt] = TYPE.double;
      this.end = this.out.writeDoubleLE(value, this.end);
    }
  }

  /** Writes the name of an item of an array. */
  index(index: number): void {
    const { out } = this;
    if (index < 10) out[this.end++] = ZERO + index;
    else for (const digit of String(index)) out[this.end++] = digit.charCodeAt(0);
    out[this.end++] = 0;
  }

  /** Whether the name that was written last, which begins at `start`, is this one. `name` is ASCII. */
  isNamed(start: number, name: string): boolean {
    const { out } = this;
    if (this.end - 1 - start !== name.length) return false;
    for (let at = 0; at < name.length; at++) if (out[start + at] !== name.charCodeAt(at)) return false;
    return true;
  }

  /**
   * Writes members whose values are null, numbers, strings, or lists of strings, as the driver would. Names are ASCII. False
   * where another value is among them; nothing is written then.
   */
  plainMembers(members: object): boolean {
    const startedAt = this.end;
    for (const [name, value] of Object.entries(members)) {
      if (this.#plainMember(name, value)) continue;
      this.end = startedAt;
      return false;
    }
    return true;
  }

  #plainMember(name: string, value: unknown): boolean {
    this.reserve(name.length + BYTES_BESIDES);
    const typeAt = this.end++;
    for (let at = 0; at < name.length; at++) this.out[this.end++] = name.charCodeAt(at);
    this.out[this.end++] = 0;
    if (typeof value === 'string') this.#string(typeAt, value);
    else if (typeof value === 'number') this.number(typeAt, value);
    else if (value === null) this.out[typeAt] = TYPE.null;
    else return Array.isArray(value) && this.#strings(typeAt, value);
    return true;
  }

  #strings(typeAt: number, values: readonly unknown[]): boolean {
    this.out[typeAt] = TYPE.array;
    const startedAt = this.end;
    this.end += 4;
    for (const [index, value] of values.entries()) {
      if (typeof value !== 'string') return false;
      this.reserve(BYTES_BESIDES);
      const itemAt = this.end++;
      this.index(index);
      this.#string(itemAt, value);
    }
    this.close(startedAt);
    return true;
  }

  /** Writes a text, and leaves room for the end of an array. */
  #string(typeAt: number, text: string): void {
    this.out[typeAt] = TYPE.string;
    this.reserve(BYTES_OF_UNIT * text.length + BYTES_BESIDES);
    const bytes = this.out.write(text, this.end + 4);
    this.int32(bytes + 1, this.end);
    this.end += 4 + bytes;
    this.out[this.end++] = 0;
  }
}
