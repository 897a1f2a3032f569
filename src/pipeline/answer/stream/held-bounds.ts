import type { BodyHold } from '../../../core/pacing/bodies-in-flight.js';
import { UnreadableAnswer } from '../../exchange/content-decoder.js';
import type { GuardedStream } from './guarded-stream.js';

/** The most memory of frames that wait for a guard, in bytes, and the most separate texts of a stream. */
const MOST_HELD_BYTES = 32 * 1024 * 1024;
const MOST_TEXTS = 2_000;
/** The memory of waiting frames counts among the bodies in flight, in steps of this many bytes. */
const COUNTED_BYTES = 256 * 1024;

/** Limits what the stages of a stream hold back, and counts it among the bodies in flight. */
export class HeldBounds {
  readonly #streams: readonly GuardedStream[];
  readonly #bodies: Pick<BodyHold, 'holdAnswer'>;
  #counted = 0;

  constructor(streams: readonly GuardedStream[], bodies: Pick<BodyHold, 'holdAnswer'>) {
    this.#streams = streams;
    this.#bodies = bodies;
  }

  /** Throws `UnreadableAnswer` where too much waits, or `overloaded` where all exchanges together hold too much. */
  check(): void {
    let held = 0;
    for (const stream of this.#streams) {
      held += stream.heldBytes;
      if (stream.heldBytes > MOST_HELD_BYTES)
        throw new UnreadableAnswer('too many of its events wait for a guard');
      if (stream.channelCount > MOST_TEXTS)
        throw new UnreadableAnswer(`it has over ${MOST_TEXTS} texts at one time`);
    }
    if (Math.abs(held - this.#counted) < COUNTED_BYTES) return;
    this.#bodies.holdAnswer(held);
    this.#counted = held;
  }
}
