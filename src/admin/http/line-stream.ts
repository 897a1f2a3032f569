import { Readable } from 'node:stream';

/** Lines for one listener. Whoever reads too slowly is cut off: it comes again, and begins anew. */
export class LineStream extends Readable {
  readonly #maxBehindBytes: number;
  #isOver = false;

  constructor(maxBehindBytes: number) {
    super();
    this.#maxBehindBytes = maxBehindBytes;
  }

  override _read(): void {}

  /** What waits may be more than the bound by one line, since one has to fit. */
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
