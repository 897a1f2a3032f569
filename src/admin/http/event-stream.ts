import { Readable } from 'node:stream';

/** What a listener that reads slowly is given at once when it reads again; beyond it, it is told to ask anew. */
const MAX_BUFFER_BYTES = 64 * 1024;
const RETRY_MS = 2000;
const SYNC = 'event: sync\ndata: {}\n\n';
const AWAY = 'event: away\ndata: {}\n\n';

/** Server-sent events of one listener. Its buffer is bounded: who falls behind gets `sync` for what was left out. */
export class EventStream extends Readable {
  #isBehind = false;
  #isOver = false;

  constructor() {
    super({ highWaterMark: MAX_BUFFER_BYTES });
    this.push(`retry: ${RETRY_MS}\n\n`);
  }

  /** The listener is about to take what is there: behind that goes what it must know, whatever the buffer holds. */
  override _read(): void {
    if (!this.#isBehind || this.#isOver) return;
    this.#isBehind = false;
    this.push(SYNC);
  }

  /** From here on every id is told; the listener asks for what was before. */
  sync(): void {
    this.#write(SYNC);
  }

  /** No id can be told until the next `sync`. */
  away(): void {
    this.#write(AWAY);
  }

  id(id: string): void {
    this.#write(`id: ${id}\ndata: ${id}\n\n`);
  }

  /** Keeps proxies from taking the connection for a dead one. */
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
