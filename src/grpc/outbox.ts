import type { Socket } from 'node:net';

/** How long the end of a call waits for other bytes that can be sent in the same write. */
const LATER_MS = 10;
/**
 * In a longer turn of the event loop, bytes are written before the turn ends, because guards may scan many requests
 * in one turn.
 */
const LONG_TURN_MS = 4;
/** Above this size, the bytes of a turn are written in pieces and not joined first. */
const MAX_JOINED_BYTES = 256 * 1024;

/**
 * Collects what is sent on a connection. All bytes of one turn of the event loop become one write, unless the turn is
 * long.
 */
export class Outbox {
  #waiting: Buffer[] = [];
  #bytes = 0;
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
    if (!this.#keep(bytes)) return;
    if (!this.#flushDue) {
      this.#flushDue = true;
      this.#since = this.now();
      setImmediate(() => this.#flush());
    } else if (this.now() - this.#since > LONG_TURN_MS) {
      this.#flush();
    }
  }

  /** Writes these bytes together with the next ones or, where none follow, a moment later. */
  sendLater(bytes: Buffer): void {
    if (this.#keep(bytes) && !this.#flushDue) this.#laterTimer ??= setTimeout(() => this.#flush(), LATER_MS);
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

  #keep(bytes: Buffer): boolean {
    if (this.#closed) return false;
    this.#waiting.push(bytes);
    this.#bytes += bytes.length;
    return true;
  }

  #flush(): void {
    this.#flushDue = false;
    clearTimeout(this.#laterTimer);
    this.#laterTimer = undefined;
    const waiting = this.#waiting;
    const bytes = this.#bytes;
    this.#waiting = [];
    this.#bytes = 0;
    if (bytes === 0 || this.socket.destroyed) return;
    if (bytes <= MAX_JOINED_BYTES) {
      this.socket.write(Buffer.concat(waiting, bytes));
      return;
    }
    this.socket.cork();
    for (const piece of waiting) this.socket.write(piece);
    this.socket.uncork();
  }
}
