import type { StreamEvent } from '../../../core/answer.js';
import type { Steps } from '../../../core/pacing/steps.js';
import { copyText } from '../../../core/texts/copy-text.js';
import type { Dialect, SseFrame } from '../../../dialects/dialect.js';
import { spliceInSteps } from '../../../dialects/wire/splice.js';
import type { ExtraText } from './extra-texts.js';
import { replaceRepeatedInFrame } from './repeated-texts.js';

/** The text of a frame that waits for a guard. The released text is collected in `text`. */
export interface WaitingText {
  original: string;
  /** How many UTF-16 units of the original the guard has not decided yet. */
  undecided: number;
  text: string;
  /** Set where the text is that of several frames. Splits it into their texts, because the next `units` are replaced. */
  split?(units: number): WaitingText[];
}

export type ReleaseDialect = Pick<Dialect, 'replaceDeltas' | 'tokenProbabilities'>;

/** The approximate memory of a waiting frame, and of each of its texts, beside the text itself, in bytes. */
export const ITEM_BYTES = 512;
const TEXT_BYTES = 128;

/** A frame that waits until all of its text is decided. */
export class QueuedFrame {
  readonly frame: SseFrame;
  readonly #eventCount: number;
  readonly #texts: WaitingText[] = [];
  readonly #extra: { extra: ExtraText; text: WaitingText }[] = [];
  /** The approximate memory of the frame, in bytes. */
  readonly bytes: number;
  /** How many of its texts, and of its extra texts, are known to be decided. */
  #decided = 0;
  #decidedExtra = 0;

  constructor(frame: SseFrame, events: readonly StreamEvent[]) {
    this.frame = frame;
    this.#eventCount = events.length;
    for (const event of events) {
      if (event.type === 'delta') {
        this.#texts.push({ original: event.text, undecided: event.text.length, text: '' });
      }
    }
    this.bytes = ITEM_BYTES + frame.data.length + TEXT_BYTES * events.length;
  }

  /** The texts of its deltas, in order. */
  get texts(): readonly WaitingText[] {
    return this.#texts;
  }

  /** The texts of its deltas, as they came. */
  get deltas(): readonly string[] {
    return this.#texts.map(({ original }) => original);
  }

  /** Whether any of its texts was replaced. It must be done. */
  get isChanged(): boolean {
    for (const { text, original } of this.#texts) if (text !== original) return true;
    for (const { text } of this.#extra) if (text.text !== text.original) return true;
    return false;
  }

  /** Whether the frame contains more than deltas, and so may repeat a text that has ended. */
  get isMore(): boolean {
    return this.#texts.length < this.#eventCount || this.#eventCount === 0;
  }

  /** Adds a text outside the deltas. */
  addExtra(extra: ExtraText): WaitingText {
    const text = { original: extra.text, undecided: extra.text.length, text: '' };
    this.#extra.push({ extra, text });
    return text;
  }

  /** Adds a text outside the deltas whose released text is known already. */
  addDecided(extra: ExtraText, text: string): void {
    this.#extra.push({ extra, text: { original: extra.text, undecided: 0, text } });
  }

  /** Replaces the text of the frame by a copy, which keeps nothing else in memory. */
  copyTexts(): void {
    this.frame.data = copyText(this.frame.data);
  }

  /** Whether it may be sent. */
  get isReady(): boolean {
    return this.isDone;
  }

  get isDone(): boolean {
    while (this.#texts[this.#decided]?.undecided === 0) this.#decided++;
    while (this.#extra[this.#decidedExtra]?.text.undecided === 0) this.#decidedExtra++;
    return this.#decided === this.#texts.length && this.#decidedExtra === this.#extra.length;
  }

  /** The frame with the released texts. */
  *release(dialect: ReleaseDialect): Steps<SseFrame> {
    const frame = yield* this.#replaceDeltas(dialect);
    const edits = this.#extra
      .filter(({ text }) => text.text !== text.original)
      .map(({ extra, text }) => extra.edit(text.text));
    return edits.length === 0 ? frame : { ...frame, data: yield* spliceInSteps(frame.data, edits) };
  }

  *#replaceDeltas(dialect: ReleaseDialect): Steps<SseFrame> {
    const changed = this.#texts.filter(({ text, original }) => text !== original);
    if (changed.length === 0) return this.frame;
    const frame = dialect.replaceDeltas(
      this.frame,
      this.#texts.map(({ text }) => text),
    );
    // Some servers send the same text under two names.
    const texts = new Map(changed.map(({ original, text }) => [original, text]));
    yield;
    return yield* replaceRepeatedInFrame(frame, { texts, probabilities: dialect.tokenProbabilities });
  }
}
