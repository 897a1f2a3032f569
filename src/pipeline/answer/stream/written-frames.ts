import type { StreamEvent } from '../../../core/answer.js';
import type { MaybePromise } from '../../../core/pacing/maybe-promise.js';
import { settle } from '../../../core/pacing/maybe-promise.js';
import { runSteps } from '../../../core/pacing/steps.js';
import type { SseFrame } from '../../../dialects/dialect.js';
import { EVENTS_AT_ONCE } from './each-event.js';
import type { FrameTaker } from './frame-taker.js';
import type { FrameWriter } from './frame-writer.js';
import type { RepeatedRun } from './repeated/repeated-run.js';

/** The last station of a stream: the text that can be sent to the client. */
export class WrittenFrames implements FrameTaker {
  readonly #writer: FrameWriter;
  #text = '';

  constructor(writer: FrameWriter) {
    this.#writer = writer;
  }

  take(frame: SseFrame, events: readonly StreamEvent[]): MaybePromise<void> {
    if (events.length <= EVENTS_AT_ONCE) {
      this.#text += this.#writer.write(frame, events);
      return undefined;
    }
    return settle(runSteps(this.#writer.writeInSteps(frame, events)), (text) => {
      this.#text += text;
    });
  }

  takeRun(run: RepeatedRun): void {
    this.#text += this.#writer.writeRun(run);
  }

  /** Returns the text that was written since the last call. */
  takeText(): string {
    const text = this.#text;
    this.#text = '';
    return text;
  }
}
