import { ITEM_BYTES, QueuedFrame, type WaitingText } from './queued-frame.js';
import type { RepeatedRun } from './repeated/repeated-run.js';

/** The memory for the end of each frame in a run. */
const END_BYTES = 16;

/** The queue that a run waits in. It can replace the run by its parts. */
export interface RunSplitter {
  split(queued: QueuedRun, units: number): WaitingText[];
}

/**
 * Frames of one shape that wait until their text, which is the run itself, is decided. They stay together as long as none of it is
 * changed.
 */
export class QueuedRun implements WaitingText {
  readonly original: string;
  undecided: number;
  text = '';
  readonly #queue: RunSplitter;
  #run: RepeatedRun;
  /** The number of frames that were sent. */
  #passed = 0;

  constructor(run: RepeatedRun, queue: RunSplitter) {
    this.#run = run;
    this.#queue = queue;
    this.original = run.text;
    this.undecided = run.text.length;
  }

  split(units: number): WaitingText[] {
    return this.#queue.split(this, units);
  }

  /** The approximate memory of the run, in bytes. */
  get bytes(): number {
    return ITEM_BYTES + this.#run.wire.length + END_BYTES * this.#run.frames;
  }

  /** Replaces the texts of the run by copies, which keep nothing else in memory. */
  copyTexts(): void {
    this.#run = this.#run.copied();
  }

  get isDone(): boolean {
    return this.#passed === this.#run.frames;
  }

  /** Whether some of its frames may be sent that were not sent before. */
  get isReady(): boolean {
    return this.#run.framesWithin(this.#decided) > this.#passed;
  }

  /** These frames. */
  take(): RepeatedRun {
    const from = this.#passed;
    this.#passed = this.#run.framesWithin(this.#decided);
    return this.#run.part(from, this.#passed);
  }

  /** The frames before the next `units`, the frames with these units one by one, and the frames after them. */
  parts(units: number): { before?: RepeatedRun; frames: QueuedFrame[]; behind?: RepeatedRun } {
    const run = this.#run;
    const decided = this.#decided;
    const from = run.framesWithin(decided);
    const isWhole = decided + units >= run.text.length;
    const to = isWhole ? run.frames : run.framesWithin(decided + units - 1) + 1;
    const frames = Array.from({ length: to - from }, (_, index) => this.#frameAt(from + index));
    return {
      before: from === this.#passed ? undefined : run.part(this.#passed, from),
      frames,
      behind: to === run.frames ? undefined : run.part(to, run.frames),
    };
  }

  #frameAt(index: number): QueuedFrame {
    const { frame, delta } = this.#run.frameAt(index);
    const queued = new QueuedFrame(frame, [delta]);
    const [text] = queued.texts;
    const decided = Math.max(0, this.#decided - this.#run.textStart(index));
    text!.text = text!.original.slice(0, decided);
    text!.undecided -= decided;
    return queued;
  }

  get #decided(): number {
    return this.original.length - this.undecided;
  }
}
