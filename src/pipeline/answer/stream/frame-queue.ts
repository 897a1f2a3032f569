import type { StreamEvent } from '../../../core/answer.js';
import { Fifo } from '../../../core/lists/fifo.js';
import type { MaybePromise } from '../../../core/pacing/maybe-promise.js';
import { settle } from '../../../core/pacing/maybe-promise.js';
import { repeat } from '../../../core/pacing/repeat.js';
import { runSteps, type Steps } from '../../../core/pacing/steps.js';
import type { SseFrame } from '../../../dialects/dialect.js';
import { QueuedFrame, type ReleaseDialect, type WaitingText } from './queued-frame.js';
import { QueuedRun, type RunSplitter } from './queued-run.js';
import type { RepeatedRun } from './repeated/repeated-run.js';

export type ReadyFrames = readonly (SseFrame | RepeatedRun)[];

const NOTHING: ReadyFrames = [];

/** The texts that were changed, and that a later frame may repeat. */
export interface Repeats {
  /** Whether there are such texts. */
  readonly mayRepeat: boolean;
  /** Replaces them in a frame. */
  without(frame: SseFrame): Steps<SseFrame>;
}

/** The frames of a stream that wait for a guard, in order of arrival. */
export class FrameQueue implements RunSplitter {
  readonly #dialect: ReleaseDialect;
  readonly #repeats: Repeats;
  readonly #waiting = new Fifo<QueuedFrame | QueuedRun>();
  #changed = false;
  /** How many items were added since `copySmallParts` was called. */
  #added = 0;
  /** The approximate memory of all waiting frames, in bytes. */
  heldBytes = 0;

  constructor(dialect: ReleaseDialect, repeats: Repeats) {
    this.#dialect = dialect;
    this.#repeats = repeats;
  }

  /** Whether anything was changed or is held back. */
  get changed(): boolean {
    return this.#changed || this.#waiting.length > 0;
  }

  add(frame: SseFrame, events: readonly StreamEvent[]): QueuedFrame {
    const queued = new QueuedFrame(frame, events);
    this.#hold(queued);
    return queued;
  }

  addRun(run: RepeatedRun): WaitingText {
    const queued = new QueuedRun(run, this);
    this.#hold(queued);
    return queued;
  }

  /**
   * Must be called after each piece of the stream, with its length in UTF-16 units. The items that were added from it are parts of
   * its text and keep all of it in memory. Where those that still wait are a small part of it, they get copies of their texts.
   */
  copySmallParts(units: number): void {
    const waiting = this.#waiting;
    const count = Math.min(this.#added, waiting.length);
    this.#added = 0;
    let bytes = 0;
    for (let place = 1; place <= count; place++) bytes += waiting.fromEnd(place).bytes;
    if (bytes >= units / 2) return;
    for (let place = 1; place <= count; place++) waiting.fromEnd(place).copyTexts();
  }

  /** The frames that may be sent now. Nothing may be added before the result is there. */
  take(): MaybePromise<ReadyFrames> {
    const { first } = this.#waiting;
    if (first === undefined || !first.isReady) return NOTHING;
    const ready: (SseFrame | RepeatedRun)[] = [];
    return settle(
      repeat(() => this.#takeFirst(ready)),
      () => ready,
    );
  }

  /** Takes the first item as far as it may be sent. Returns whether the one behind it may be sent too. */
  #takeFirst(ready: (SseFrame | RepeatedRun)[]): MaybePromise<boolean> {
    const first = this.#waiting.first!;
    if (first instanceof QueuedRun) {
      ready.push(first.take());
      return first.isDone && this.#removeFirst();
    }
    return settle(this.#released(first), (frame) => {
      if (frame !== first.frame) this.#changed = true;
      ready.push(frame);
      return this.#removeFirst();
    });
  }

  #removeFirst(): boolean {
    this.heldBytes -= this.#waiting.shift()!.bytes;
    return this.#waiting.first?.isReady === true;
  }

  /** In steps where the frame may have to be changed, because one frame can be a megabyte. */
  #released(queued: QueuedFrame): MaybePromise<SseFrame> {
    const mayRepeat = queued.isMore && this.#repeats.mayRepeat;
    return queued.isChanged || mayRepeat ? runSteps(this.#release(queued)) : queued.frame;
  }

  *#release(queued: QueuedFrame): Steps<SseFrame> {
    const released = yield* queued.release(this.#dialect);
    return queued.isMore ? yield* this.#repeats.without(released) : released;
  }

  #hold(queued: QueuedFrame | QueuedRun): void {
    this.#waiting.push(queued);
    this.#added++;
    this.heldBytes += queued.bytes;
  }

  /** Only frames whose text is replaced are handled one by one. */
  split(queued: QueuedRun, units: number): WaitingText[] {
    const { before, frames, behind } = queued.parts(units);
    const decided = before === undefined ? [] : [new QueuedRun(before, this)];
    for (const run of decided) run.undecided = 0;
    const rest = behind === undefined ? [] : [new QueuedRun(behind, this)];
    const parts = [...decided, ...frames, ...rest];
    for (const { bytes } of parts) this.heldBytes += bytes;
    this.heldBytes -= queued.bytes;
    this.#waiting.replace(queued, parts);
    return [...frames.flatMap(({ texts }) => texts), ...rest];
  }
}
