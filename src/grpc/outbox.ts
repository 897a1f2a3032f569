import type { Socket } from 'node:net';

/** How long the end of a call waits for other bytes that can share its write. */
const LATER_MS = 10;
/**
 * In a longer turn of the event loop, bytes are written before its end: guards may scan many requests in one turn.
 */
const LONG_TURN_MS = 4;
/** Above this a turn's bytes are not put into one piece first. */
const MAX_JOINED_BYTES = 256 * 1024;

/** What goes out on a connection: all bytes of one turn of the event loop are one write, unless the turn is long. */
export class Outbox {
  #waiting: Buffer[] = [];
  #bytes = 0;
  #flushDue = false;
  /** When the first of the waiting bytes was queued. */
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

  /** Writes these bytes together with the next ones, or a moment later without any. */
  sendLater(bytes: Buffer): void {
    if (this.#keep(bytes) && !this.#flushDue) this.#laterTimer ??= setTimeout(() => this.#flush(), LATER_MS);
  }

  /** Sends what waits, takes nothing more, and closes the connection once all is out. */
  close(): void {
    if (this.#closed) return;
    this.#flush();
    this.#closed = true;
    this.socket.destroySoon();
  }

  /** The connection is gone. */
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
