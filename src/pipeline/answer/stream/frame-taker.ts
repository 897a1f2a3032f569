import type { StreamEvent } from '../../../core/answer.js';
import type { MaybePromise } from '../../../core/pacing/maybe-promise.js';
import type { SseFrame } from '../../../dialects/dialect.js';
import type { RepeatedRun } from './repeated/repeated-run.js';

/**
 * A station on the way of a stream's frames. It must not be given the next frames before it has taken the last ones,
 * which it nearly always does at once.
 */
export interface FrameTaker {
  /** Takes a frame with its decoded events. */
  take(frame: SseFrame, events: readonly StreamEvent[]): MaybePromise<void>;
  /** Takes consecutive frames that differ only in their text. */
  takeRun(run: RepeatedRun): MaybePromise<void>;
}
