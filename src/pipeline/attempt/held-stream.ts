import type { StreamEvent } from '../../core/answer.js';
import { KeptBytes } from '../../core/lists/kept-bytes.js';
import { type MaybePromise, settle } from '../../core/pacing/maybe-promise.js';
import { nextRoundOfLoop } from '../../core/pacing/pace.js';
import { piecesOf } from '../../core/pacing/pieces-of.js';
import { eachInTurn, repeat } from '../../core/pacing/repeat.js';
import type { StreamDecoder } from '../../dialects/dialect.js';
import { createSseParser } from '../../dialects/wire/sse.js';
import { AnswerTooLarge } from '../exchange/content-decoder.js';

export interface HeldStreamOptions {
  decoder: StreamDecoder;
  unpack: (chunk: Buffer) => MaybePromise<Buffer>;
  /** The most bytes that may come before the decision. */
  limit: number;
  /** Returns true once the events have decided what becomes of the stream. */
  decides: (events: readonly StreamEvent[]) => boolean;
}

/** A stream that is held back until its events decide whether it is let pass. */
export class HeldStream {
  readonly #parser = createSseParser();
  readonly #bytes = new KeptBytes();
  #isDecided = false;

  constructor(private readonly options: HeldStreamOptions) {}

  /** Throws `AnswerTooLarge` where too many bytes have come without a decision. */
  push(chunk: Buffer): MaybePromise<void> {
    this.#bytes.push(chunk);
    return settle(this.options.unpack(chunk), (bytes) =>
      settle(
        eachInTurn(piecesOf(bytes), (piece) => this.#lookAt(piece), nextRoundOfLoop),
        () => this.#checkLength(),
      ),
    );
  }

  /** The bytes so far, as they came. */
  bytes(): Buffer {
    return this.#bytes.whole();
  }

  /** Reads frames one by one, because a whole stream may arrive at once, and after the decision another part reads on. */
  #lookAt(piece: Buffer): MaybePromise<void> {
    if (this.#isDecided) return;
    const { decoder, decides } = this.options;
    this.#parser.feed(piece);
    return repeat(() => {
      const frame = this.#parser.next();
      if (frame === undefined) return false;
      this.#isDecided = decides(decoder.decode(frame));
      return !this.#isDecided && this.#parser.hasMore;
    }, nextRoundOfLoop);
  }

  #checkLength(): void {
    const { limit } = this.options;
    if (!this.#isDecided && this.#bytes.length > limit)
      throw new AnswerTooLarge(`no event came in ${limit} bytes`);
  }
}
