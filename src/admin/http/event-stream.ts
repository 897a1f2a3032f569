import { Readable } from 'node:stream';

/** The most bytes of events that are buffered for a slow listener. Beyond that it is told to read the list again. */
const MAX_BUFFER_BYTES = 64 * 1024;
const RETRY_MS = 2000;
const SYNC = 'event: sync\ndata: {}\n\n';
const AWAY = 'event: away\ndata: {}\n\n';

/**
 * The server-sent events of one listener. The buffer is bounded: a slow listener gets `sync` in place of the events
 * that were dropped.
 */
export class EventStream extends Readable {
  #isBehind = false;
  #isOver = false;

  constructor() {
    super({ highWaterMark: MAX_BUFFER_BYTES });
    this.push(`retry: ${RETRY_MS}\n\n`);
  }

  /** Called when the listener reads again: `sync` is sent after what is already buffered. */
  override _read(): void {
    if (!this.#isBehind || this.#isOver) return;
    this.#isBehind = false;
    this.push(SYNC);
  }

  /** Sends `sync`. Every id from here on is sent; the listener reads older logs from the list. */
  sync(): void {
    this.#write(SYNC);
  }

  /** Sends `away`: no ids can be sent until the next `sync`. */
  away(): void {
    this.#write(AWAY);
  }

  id(id: string): void {
    this.#write(`id: ${id}\ndata: ${id}\n\n`);
  }

  /** Sends a heartbeat, so that proxies do not close a connection that looks idle. */
  beat(): void {
    this.#write(': \n\n');
  }

  end(): void {
    if (this.#isOver || this.destroyed) return;
    this.#isOver = true;
    this.push(null);
  }

  #write(text: string): void {
    if (this.#isOver || this.destroyed) return;
    if (this.readableLength > MAX_BUFFER_BYTES) this.#isBehind = true;
    else if (!this.#isBehind) this.push(text);
  }
}
