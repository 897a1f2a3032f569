import { isSmallPart } from './small-part.js';

/**
 * Pieces of at least this many bytes are kept as they are. Smaller ones are copied together, because each would cost
 * an object. So are small parts of large buffers.
 */
const LARGE_PIECE = 1_024;
const ROOM_BYTES = 16_384;

/** Collects bytes that arrive in pieces of any size. */
export class KeptBytes {
  #pieces: Buffer[] = [];
  /** Memory that small pieces are copied into. The last piece is a view of its used part. */
  #room: Buffer | undefined;
  #roomUsed = 0;
  length = 0;

  /** `isLast`: no more will come, and the bytes are needed only for a moment, so that a single piece is not copied. */
  push(bytes: Buffer, isLast = false): void {
    this.length += bytes.length;
    const isWhole = isLast && this.#pieces.length === 0;
    if (isWhole || (bytes.length >= LARGE_PIECE && !isSmallPart(bytes))) {
      this.#room = undefined;
      this.#pieces.push(bytes);
      return;
    }
    if (this.#room === undefined || this.#roomUsed + bytes.length > this.#room.length) {
      this.#room = Buffer.allocUnsafeSlow(
        Math.max(this.length > ROOM_BYTES ? ROOM_BYTES : LARGE_PIECE, bytes.length),
      );
      this.#roomUsed = 0;
      this.#pieces.push(this.#room);
    }
    bytes.copy(this.#room, this.#roomUsed);
    this.#roomUsed += bytes.length;
    this.#pieces[this.#pieces.length - 1] = this.#room.subarray(0, this.#roomUsed);
  }

  /** All bytes. Do not modify them. */
  whole(): Buffer {
    if (this.#pieces.length === 1) return this.#pieces[0]!;
    this.#room = undefined;
    this.#pieces = [Buffer.concat(this.#pieces, this.length)];
    return this.#pieces[0]!;
  }

  /** The last `count` bytes, or all where there are fewer. */
  last(count: number): Buffer {
    let first = this.#pieces.length;
    for (let bytes = 0; first > 0 && bytes < count; ) bytes += this.#pieces[--first]!.length;
    return Buffer.concat(this.#pieces.slice(first)).subarray(-count);
  }
}
