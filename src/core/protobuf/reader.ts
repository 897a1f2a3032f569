/* Decodes protobuf: https://protobuf.dev/programming-guides/encoding/ */

const VARINT = 0;
const FIXED64 = 1;
const LENGTH = 2;
const FIXED32 = 5;

/**
 * Reads the fields of one message, which is a part of a buffer. Throws RangeError where the bytes are not a message.
 */
export class Reader {
  /** The number of the field that `next` found. */
  field = 0;
  #type = 0;
  #at: number;

  constructor(
    private readonly buffer: Buffer,
    start = 0,
    private readonly end = buffer.length,
  ) {
    this.#at = start;
    if (start > end || end > buffer.length) throw new RangeError('a message ends beyond its buffer');
  }

  /**
   * Moves to the next field. Exactly one of the methods below must then take its value. Inside a message that was
   * entered, `end` is what `enter` returned.
   */
  next(end = this.end): boolean {
    if (this.#at >= end) return false;
    const key = this.#varint();
    this.field = key >>> 3;
    this.#type = key & 7;
    return true;
  }

  bool(): boolean {
    return this.#number() !== 0;
  }

  /** Takes an unsigned number, or the number of an enum. */
  int(): number {
    return this.#number();
  }

  double(): number {
    this.#expect(FIXED64);
    this.#at += 8;
    this.#check();
    return this.buffer.readDoubleLE(this.#at - 8);
  }

  text(): string {
    const end = this.#length();
    const text = readText(this.buffer, this.#at, end);
    this.#at = end;
    return text;
  }

  /** Takes bytes, as a view into the buffer. */
  bytes(): Buffer {
    const end = this.#length();
    const bytes = this.buffer.subarray(this.#at, end);
    this.#at = end;
    return bytes;
  }

  /** Continues inside the message of this field, without another reader. Returns where that message ends. */
  enter(): number {
    return this.#length();
  }

  /** Skips this field and returns where its bytes are. */
  span(): { start: number; end: number } {
    const end = this.#length();
    const start = this.#at;
    this.#at = end;
    return { start, end };
  }

  message(): Reader {
    const end = this.#length();
    const reader = new Reader(this.buffer, this.#at, end);
    this.#at = end;
    return reader;
  }

  skip(): void {
    switch (this.#type) {
      case VARINT:
        this.#varint();
        break;
      case FIXED64:
        this.#at += 8;
        break;
      case LENGTH:
        this.#at = this.#length();
        break;
      case FIXED32:
        this.#at += 4;
        break;
      default:
        throw new RangeError(`a field has the unknown type ${this.#type}`);
    }
    this.#check();
  }

  #number(): number {
    this.#expect(VARINT);
    return this.#varint();
  }

  /** Where a value ends whose length stands before it. */
  #length(): number {
    this.#expect(LENGTH);
    const length = this.#varint();
    const end = this.#at + length;
    if (end > this.end) throw new RangeError('a value ends beyond its message');
    return end;
  }

  /** The lower 32 bits of a number. No field that is read has more. */
  #varint(): number {
    let value = 0;
    for (let shift = 0; shift < 70; shift += 7) {
      const byte = this.buffer[this.#at++];
      if (byte === undefined || this.#at > this.end) throw new RangeError('a number ends beyond its message');
      if (shift < 32) value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value >>> 0;
    }
    throw new RangeError('a number has more than ten bytes');
  }

  #expect(type: number): void {
    if (this.#type !== type)
      throw new RangeError(`field ${this.field} has the type ${this.#type}, not ${type}`);
  }

  #check(): void {
    if (this.#at > this.end) throw new RangeError('a value ends beyond its message');
  }
}

/** Up to this length a loop is faster than a native call. */
const SHORT = 12;

function readText(buffer: Buffer, start: number, end: number): string {
  if (end - start > SHORT) return buffer.toString('utf8', start, end);
  let text = '';
  for (let at = start; at < end; at++) {
    const byte = buffer[at]!;
    if (byte >= 0x80) return buffer.toString('utf8', start, end);
    text += String.fromCharCode(byte);
  }
  return text;
}
