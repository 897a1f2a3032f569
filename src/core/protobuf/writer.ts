/*
 * Encodes protobuf. A message is written from its end to its start: the length of a nested message is then known when
 * its head is written, so nothing must be measured before or moved afterwards.
 */

const VARINT = 0;
const FIXED64 = 1;
const LENGTH = 2;
const FIXED32 = 5;

const FIRST_BYTES = 16 * 1024;
/** A buffer that a large body made larger than this is freed. */
const KEPT_BYTES = 256 * 1024;
/** Up to this length a loop is faster than a native call. */
const SHORT = 40;

/** Writes one message at a time. Fields and list items must be written in reverse order. `finish` returns the bytes. */
export class Writer {
  #buffer = Buffer.allocUnsafeSlow(FIRST_BYTES);
  /** The offset of the first byte that was written. */
  #at = FIRST_BYTES;

  /** Begins a nested message. Returns a mark; what is written until `close` is the content of the message. */
  open(): number {
    return this.#buffer.length - this.#at;
  }

  /** Writes the head of a message whose inside was written since `open` returned this mark. */
  close(field: number, place: number): void {
    this.#head(field, this.#buffer.length - this.#at - place);
  }

  bool(field: number, value: boolean): void {
    if (value) this.int(field, 1);
  }

  /** Writes a number from 0 to 2^32 - 1. */
  int(field: number, value: number): void {
    this.#reserve(10);
    this.#varint(value);
    this.#varint((field << 3) | VARINT);
  }

  /** Writes a signed whole number of 64 bits. */
  int64(field: number, value: number): void {
    if (value >= 0 && value <= 0xffffffff) {
      this.int(field, value);
      return;
    }
    this.#reserve(15);
    const bytes: number[] = [];
    let rest = BigInt.asUintN(64, BigInt(value));
    for (; rest > 0x7fn; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
    bytes.push(Number(rest));
    this.raw(Uint8Array.from(bytes));
    this.#varint((field << 3) | VARINT);
  }

  fixed32(field: number, value: number): void {
    this.#reserve(9);
    this.#fourBytes(value);
    this.#varint((field << 3) | FIXED32);
  }

  /** Writes a number of 64 bits, given as its two halves. */
  fixed64(field: number, high: number, low: number): void {
    this.#reserve(13);
    this.#fourBytes(high);
    this.#fourBytes(low);
    this.#varint((field << 3) | FIXED64);
  }

  double(field: number, value: number): void {
    this.#reserve(13);
    this.#at -= 8;
    this.#buffer.writeDoubleLE(value, this.#at);
    this.#varint((field << 3) | FIXED64);
  }

  bytes(field: number, value: Uint8Array): void {
    this.raw(value);
    this.#head(field, value.length);
  }

  /** Writes bytes that are given as lower-case hexadecimal text. */
  hex(field: number, value: string): void {
    const length = value.length >> 1;
    this.#reserve(length);
    this.#at -= length;
    for (let index = 0; index < length; index++) {
      const high = digitOf(value.charCodeAt(2 * index));
      this.#buffer[this.#at + index] = (high << 4) | digitOf(value.charCodeAt(2 * index + 1));
    }
    this.#head(field, length);
  }

  /** Writes fields that are encoded already. */
  raw(fields: Uint8Array): void {
    this.#reserve(fields.length);
    this.#at -= fields.length;
    this.#buffer.set(fields, this.#at);
  }

  text(field: number, value: string): void {
    const { length } = value;
    if (length > SHORT || !this.#shortText(value)) {
      const bytes = Buffer.byteLength(value);
      this.#reserve(bytes);
      this.#at -= bytes;
      this.#buffer.write(value, this.#at, bytes, 'utf8');
      this.#head(field, bytes);
      return;
    }
    this.#head(field, length);
  }

  /** Returns the message. The writer is then ready for the next one. */
  finish(): Buffer {
    const written = this.#buffer.subarray(this.#at);
    const isLarge = this.#buffer.length > KEPT_BYTES;
    if (isLarge) this.#buffer = Buffer.allocUnsafeSlow(FIRST_BYTES);
    this.#at = this.#buffer.length;
    return isLarge ? written : Buffer.from(written);
  }

  #shortText(value: string): boolean {
    this.#reserve(SHORT);
    const start = this.#at - value.length;
    for (let index = 0; index < value.length; index++) {
      const code = value.charCodeAt(index);
      if (code >= 0x80) return false;
      this.#buffer[start + index] = code;
    }
    this.#at = start;
    return true;
  }

  #head(field: number, length: number): void {
    this.#reserve(10);
    this.#varint(length);
    this.#varint((field << 3) | LENGTH);
  }

  #fourBytes(value: number): void {
    this.#at -= 4;
    for (let index = 0; index < 4; index++) this.#buffer[this.#at + index] = value >>> (8 * index);
  }

  #varint(value: number): void {
    let size = 1;
    for (let rest = value >>> 7; rest > 0; rest >>>= 7) size++;
    this.#at -= size;
    let rest = value;
    for (let index = 0; index < size - 1; index++) {
      this.#buffer[this.#at + index] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    this.#buffer[this.#at + size - 1] = rest;
  }

  #reserve(bytes: number): void {
    if (this.#at >= bytes) return;
    const used = this.#buffer.subarray(this.#at);
    const larger = Buffer.allocUnsafeSlow(Math.max(2 * this.#buffer.length, used.length + bytes));
    larger.set(used, larger.length - used.length);
    this.#buffer = larger;
    this.#at = larger.length - used.length;
  }
}

function digitOf(code: number): number {
  return code < 0x3a ? code - 0x30 : code - 0x57;
}
