import type { Socket } from 'node:net';
import { FLAG, FRAME, FRAME_HEADER_BYTES, writeFrameHeader } from './frames.js';
import { PREFIX_BYTES, writePrefix } from './prefix.js';

/**
 * How long the end of a call waits for other bytes that can be sent in the same write. At 100 requests a second the next request
 * brings them, so that neither side wakes up for the end alone.
 */
const LATER_MS = 50;
/**
 * In a longer turn of the event loop, bytes are written before the turn ends, because guards may scan many requests
 * in one turn.
 */
const LONG_TURN_MS = 4;
/** Shorter bytes are copied into a room, so that those of a turn are one piece. Longer ones stay as they are. */
const LARGE_BYTES = 16 * 1024;
const ROOM_BYTES = 64 * 1024;

/**
 * Collects what is sent on a connection. All bytes of one turn of the event loop become one write, unless the turn is
 * long.
 */
export class Outbox {
  /** What waits before the bytes in the room. */
  #pieces: Buffer[] = [];
  /** The room for short bytes. Those from `#start` to `#used` wait. It is used again once the kernel has taken them. */
  #room: Buffer | undefined;
  #start = 0;
  #used = 0;
  #flushDue = false;
  /** The time at which the first of the waiting bytes was queued. */
  #since = 0;
  #laterTimer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(
    private readonly socket: Socket,
    private readonly now: () => number = () => performance.now(),
  ) {}

  send(bytes: Buffer): void {
    if (this.#closed) return;
    this.#keep(bytes);
    this.#flushSoon();
  }

  /** Sends a DATA frame that contains one gRPC message. */
  sendMessage(streamId: number, message: Buffer): void {
    if (this.#closed) return;
    const room = this.#reserve(FRAME_HEADER_BYTES + PREFIX_BYTES);
    writeFrameHeader(room, PREFIX_BYTES + message.length, FRAME.data, FLAG.none, streamId, this.#used);
    writePrefix(room, this.#used + FRAME_HEADER_BYTES, message.length);
    this.#used += FRAME_HEADER_BYTES + PREFIX_BYTES;
    this.#keep(message);
    this.#flushSoon();
  }

  /** Writes these bytes together with the next ones or, where none follow, a moment later. */
  sendLater(bytes: Buffer): void {
    if (this.#closed) return;
    this.#keep(bytes);
    if (!this.#flushDue) this.#laterTimer ??= setTimeout(() => this.#flush(), LATER_MS);
  }

  /** Sends what is waiting, accepts nothing more, and closes the connection once all is sent. */
  close(): void {
    if (this.#closed) return;
    this.#flush();
    this.#closed = true;
    this.socket.destroySoon();
  }

  /** The connection is gone: drops what is waiting. */
  drop(): void {
    this.#closed = true;
    clearTimeout(this.#laterTimer);
  }

  #flushSoon(): void {
    if (!this.#flushDue) {
      this.#flushDue = true;
      this.#since = this.now();
      setImmediate(() => this.#flush());
    } else if (this.now() - this.#since > LONG_TURN_MS) {
      this.#flush();
    }
  }

  #keep(bytes: Buffer): void {
    if (bytes.length < LARGE_BYTES) {
      bytes.copy(this.#reserve(bytes.length), this.#used);
      this.#used += bytes.length;
      return;
    }
    this.#endPiece();
    this.#pieces.push(bytes);
  }

  /** Returns a room that has so many free bytes from `#used` on. */
  #reserve(bytes: number): Buffer {
    if (this.#room !== undefined && this.#used + bytes <= this.#room.length) return this.#room;
    this.#endPiece();
    this.#room = Buffer.allocUnsafeSlow(ROOM_BYTES);
    this.#start = 0;
    this.#used = 0;
    return this.#room;
  }

  #endPiece(): void {
    if (this.#start < this.#used) this.#pieces.push(this.#room!.subarray(this.#start, this.#used));
    this.#start = this.#used;
  }

  #flush(): void {
    this.#flushDue = false;
    clearTimeout(this.#laterTimer);
    this.#laterTimer = undefined;
    this.#endPiece();
    const pieces = this.#pieces;
    if (pieces.length === 0) return;
    this.#pieces = [];
    const { socket } = this;
    if (socket.destroyed) return;
    if (pieces.length === 1) socket.write(pieces[0]!);
    else {
      socket.cork();
      for (const piece of pieces) socket.write(piece);
      socket.uncork();
    }
    // Where the kernel had no space for all of it, the socket still needs these bytes.
    if (socket.writableLength > 0) this.#room = undefined;
    this.#start = 0;
    this.#used = 0;
  }
}
