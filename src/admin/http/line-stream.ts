import { Readable } from 'node:stream';

/** Sends lines to one listener. A listener that reads too slowly is disconnected; it then connects again and starts over. */
export class LineStream extends Readable {
  readonly #maxBehindBytes: number;
  #isOver = false;

  constructor(maxBehindBytes: number) {
    super();
    this.#maxBehindBytes = maxBehindBytes;
  }

  override _read(): void {}

  /** The buffer may exceed its limit by one line, so that one line always fits. */
  send(line: Buffer): void {
    if (this.#isOver || this.destroyed) return;
    if (this.readableLength > this.#maxBehindBytes) this.destroy(new Error('the listener reads too slowly'));
    else this.push(line);
  }

  end(): void {
    if (this.#isOver || this.destroyed) return;
    this.#isOver = true;
    this.push(null);
  }
}
