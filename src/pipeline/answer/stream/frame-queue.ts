import type { StreamEvent } from '../../../core/answer.js';
import { Fifo } from '../../../core/lists/fifo.js';
import type { Steps } from '../../../core/pacing/steps.js';
import type { SseFrame } from '../../../dialects/dialect.js';
import { QueuedFrame, type ReleaseDialect, type WaitingText } from './queued-frame.js';
import { QueuedRun } from './queued-run.js';
import type { RepeatedRun } from './repeated/repeated-run.js';

/** The frames of a stream that wait for a guard, in order of arrival. */
export class FrameQueue {
  readonly #dialect: ReleaseDialect;
  /** Replaces repeated texts in a frame. */
  readonly #withoutRepeats: (frame: SseFrame) => Steps<SseFrame>;
  readonly #waiting = new Fifo<QueuedFrame | QueuedRun>();
  #changed = false;
  /** How many items were added since `copySmallParts` was called. */
  #added = 0;
  /** The approximate memory of all waiting frames, in bytes. */
  heldBytes = 0;

  constructor(dialect: ReleaseDialect, withoutRepeats: (frame: SseFrame) => Steps<SseFrame>) {
    this.#dialect = dialect;
    this.#withoutRepeats = withoutRepeats;
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
    const queued = this.#queued(run);
    this.#hold(queued);
    return queued.text;
  }

  /**
   * Must be called after each piece of the stream, with its length in UTF-16 units. The items that were added from it are parts of
   * its text and keep all of it in memory. Where those that still wait are a small part of it, they get copies of their texts.
   */
  copySmallParts(units: number): void {
    const added = this.#waiting.last(this.#added);
    this.#added = 0;
    let bytes = 0;
    for (const item of added) bytes += item.bytes;
    if (bytes < units / 2) for (const item of added) item.copyTexts();
  }

  /** The frames that may be sent now. In steps, because one frame can be a megabyte; nothing may be added meanwhile. */
  *take(): Steps<(SseFrame | RepeatedRun)[]> {
    const ready: (SseFrame | RepeatedRun)[] = [];
    for (let { first } = this.#waiting; first !== undefined; first = this.#waiting.first) {
      const taken = first instanceof QueuedRun ? first.take() : yield* this.#takeFrame(first);
      if (taken !== undefined) ready.push(taken);
      if (!first.isDone) break;
      this.#waiting.shift();
      this.heldBytes -= first.bytes;
    }
    return ready;
  }

  *#takeFrame(queued: QueuedFrame): Steps<SseFrame | undefined> {
    if (!queued.isDone) return undefined;
    const released = yield* queued.release(this.#dialect);
    const frame = queued.isMore ? yield* this.#withoutRepeats(released) : released;
    if (frame !== queued.frame) this.#changed = true;
    return frame;
  }

  #hold(queued: QueuedFrame | QueuedRun): void {
    this.#waiting.push(queued);
    this.#added++;
    this.heldBytes += queued.bytes;
  }

  #queued(run: RepeatedRun): QueuedRun {
    return new QueuedRun(run, (queued, units) => this.#split(queued, units));
  }

  /** Only frames whose text is replaced are handled one by one. */
  #split(queued: QueuedRun, units: number): WaitingText[] {
    const { before, frames, behind } = queued.parts(units);
    const decided = before === undefined ? [] : [this.#queued(before)];
    for (const { text } of decided) text.undecided = 0;
    const rest = behind === undefined ? [] : [this.#queued(behind)];
    const parts = [...decided, ...frames, ...rest];
    for (const { bytes } of parts) this.heldBytes += bytes;
    this.heldBytes -= queued.bytes;
    this.#waiting.replace(queued, parts);
    return [...frames.flatMap(({ texts }) => texts), ...rest.map(({ text }) => text)];
  }
}
