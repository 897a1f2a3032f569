import type { StreamEvent } from '../../../core/answer.js';
import type { SluiceError } from '../../../core/errors.js';
import type { MaybePromise } from '../../../core/pacing/maybe-promise.js';
import { settle } from '../../../core/pacing/maybe-promise.js';
import type { SseFrame, StreamDecoder } from '../../../dialects/dialect.js';
import type { FrameTaker } from './frame-taker.js';
import type { GuardedStep, GuardedStream } from './guarded-stream.js';
import { PassedFrames } from './passed-frames.js';
import { RepeatedRun } from './repeated/repeated-run.js';

/**
 * A station that holds frames back until all of their text is decided: the guards of a stream, or what puts the
 * client's values back. It passes the frames on with the events that they have by then.
 */
export class HoldingStage implements FrameTaker {
  readonly held: GuardedStream;
  readonly #passed: PassedFrames;
  readonly #next: FrameTaker;
  /** The error with which a guard rejected the stream. Nothing may be taken after it. */
  rejection?: SluiceError;

  constructor(held: GuardedStream, createDecoder: () => StreamDecoder, next: FrameTaker) {
    this.held = held;
    this.#passed = new PassedFrames(createDecoder);
    this.#next = next;
  }

  take(frame: SseFrame, events: readonly StreamEvent[]): MaybePromise<void> {
    this.#passed.note(frame, events);
    return this.#passOn(this.held.push(frame, events));
  }

  takeRun(run: RepeatedRun): MaybePromise<void> {
    return this.held.collect(run) ? undefined : this.#passOn(this.held.pushRun(run));
  }

  /** Decides on what was collected, where it is enough. Must be called before the stream waits for more frames. */
  rest(): MaybePromise<void> {
    return this.rejection === undefined ? this.#passOn(this.held.rest()) : undefined;
  }

  /** Decides on everything that is held, because no more frames come. */
  end(): MaybePromise<void> {
    return this.rejection === undefined ? this.#passOn(this.held.end()) : undefined;
  }

  #passOn(step: MaybePromise<GuardedStep>): MaybePromise<void> {
    return settle(step, this.#takeStep);
  }

  readonly #takeStep = ({ frames, rejection }: GuardedStep): MaybePromise<void> => {
    this.rejection = rejection;
    return this.#giveNext(frames, 0);
  };

  #giveNext(pieces: GuardedStep['frames'], from: number): MaybePromise<void> {
    for (let index = from; index < pieces.length; index++) {
      const pending = this.#give(pieces[index]!);
      if (pending !== undefined) return pending.then(() => this.#giveNext(pieces, index + 1));
    }
  }

  #give(piece: SseFrame | RepeatedRun): MaybePromise<void> {
    if (piece instanceof RepeatedRun) return this.#next.takeRun(piece);
    const events = this.#passed.read(piece);
    return events instanceof RepeatedRun ? this.#next.takeRun(events) : this.#next.take(piece, events);
  }
}
