import { isSmallPart } from '../core/lists/small-part.js';

/** Pieces of at least this many bytes are kept as they are. Smaller ones, and small parts of large buffers, are copied into one. */
const LARGE_PIECE = 1_024;
const ROOM_BYTES = 4_096;

/** A queue of bytes. Many small pieces take no more memory than their bytes. */
export class ByteQueue {
  #pieces: Buffer[] = [];
  /** The index of the first remaining piece, and how many of its bytes were already taken. */
  #first = 0;
  #taken = 0;
  /** The buffer for small pieces. The last piece of the queue is the part of it that is in use. */
  #room: Buffer | undefined;
  #roomUsed = 0;
  #roomStart = 0;
  /** Whether the last piece is a short copy of its own. The next one gets a room, because more may follow. */
  #isCopy = false;
  length = 0;

  /** Appends bytes. The queue may keep `bytes`, so the caller must not change them. */
  push(bytes: Buffer): void {
    if (bytes.length === 0) return;
    // Where the queue is empty, the piece is usually taken at once, so it is not copied.
    if (this.length === 0 || (bytes.length >= LARGE_PIECE && !isSmallPart(bytes))) {
      this.#room = undefined;
      this.#isCopy = false;
      this.#pieces.push(bytes);
    } else if (this.#room === undefined && !this.#isCopy) {
      this.#isCopy = true;
      // Most often one short piece waits for a moment. Node cuts its copy out of a buffer for many, which is cheaper than a room.
      this.#pieces.push(Buffer.from(bytes));
    } else this.#copy(bytes);
    this.length += bytes.length;
  }

  /** The 32-bit number at an offset. Its four bytes must be in the queue. */
  numberAt(offset: number): number {
    const head = this.#pieces[this.#first]!;
    const at = this.#taken + offset;
    if (at + 4 <= head.length) return head.readUInt32BE(at);
    const bytes = this.#joined(offset + 4);
    return bytes.readUInt32BE(offset);
  }

  /** Takes this many bytes, which must be in the queue. */
  take(count: number): Buffer {
    const head = this.#pieces[this.#first];
    if (head !== undefined && head.length - this.#taken >= count) {
      const bytes = head.subarray(this.#taken, this.#taken + count);
      this.#drop(count);
      return bytes;
    }
    const bytes = this.#joined(count);
    this.#drop(count);
    return bytes;
  }

  /** Takes the bytes of the first piece and, where it is shorter than `joined` bytes, of those behind it. The queue must not be empty. */
  takePiece(joined: number): Buffer {
    const first = this.#pieces[this.#first]!.length - this.#taken;
    return this.take(Math.max(first, Math.min(joined, this.length)));
  }

  clear(): void {
    this.#pieces = [];
    this.#first = 0;
    this.#taken = 0;
    this.#room = undefined;
    this.#isCopy = false;
    this.length = 0;
  }

  #copy(bytes: Buffer): void {
    if (this.#room === undefined || this.#roomUsed + bytes.length > this.#room.length) {
      this.#room = Buffer.allocUnsafeSlow(Math.max(ROOM_BYTES, bytes.length));
      this.#roomUsed = 0;
      this.#roomStart = this.#pieces.length;
      this.#pieces.push(this.#room);
    }
    bytes.copy(this.#room, this.#roomUsed);
    this.#roomUsed += bytes.length;
    this.#pieces[this.#roomStart] = this.#room.subarray(0, this.#roomUsed);
  }

  #joined(count: number): Buffer {
    const pieces: Buffer[] = [];
    let left = count;
    for (let at = this.#first; left > 0; at++) {
      const piece = at === this.#first ? this.#pieces[at]!.subarray(this.#taken) : this.#pieces[at]!;
      pieces.push(piece.length > left ? piece.subarray(0, left) : piece);
      left -= piece.length;
    }
    return Buffer.concat(pieces, count);
  }

  #drop(count: number): void {
    this.length -= count;
    if (this.length === 0) {
      this.clear();
      return;
    }
    this.#taken += count;
    while (this.#taken >= this.#pieces[this.#first]!.length) {
      this.#taken -= this.#pieces[this.#first]!.length;
      this.#first++;
    }
    if (this.#first < 64 || this.#first < this.#pieces.length / 2) return;
    this.#pieces = this.#pieces.slice(this.#first);
    this.#roomStart -= this.#first;
    this.#first = 0;
  }
}
