import type { StreamEvent } from '../../../../core/answer.js';
import { copyText } from '../../../../core/texts/copy-text.js';
import type { SseFrame } from '../../../../dialects/dialect.js';

export type Delta = Extract<StreamEvent, { type: 'delta' }>;

/** A frame with one piece of text: everything before and after its characters. */
export interface Shape {
  event: string | undefined;
  before: string;
  after: string;
  delta: Delta;
  /** The same parts in the form in which the frame is sent. */
  wire: { before: string; after: string };
}

/** Consecutive frames that differ only in their text. */
export class RepeatedRun {
  /** The frames in the form in which they are sent. */
  readonly wire: string;
  /** The text of all frames together. */
  readonly text: string;
  readonly shape: Shape;
  /** Where each frame ends, in `wire` and in `text`. */
  readonly #wireEnds: readonly number[];
  readonly #textEnds: readonly number[];

  constructor(
    shape: Shape,
    wire: string,
    text: string,
    wireEnds: readonly number[],
    textEnds: readonly number[],
  ) {
    this.shape = shape;
    this.wire = wire;
    this.text = text;
    this.#wireEnds = wireEnds;
    this.#textEnds = textEnds;
  }

  get frames(): number {
    return this.#wireEnds.length;
  }

  /** One event with the text of all frames. */
  get delta(): Delta {
    return { ...this.shape.delta, text: this.text };
  }

  /** How many frames end at or before this offset of the text. */
  framesWithin(units: number): number {
    if (units >= this.text.length) return this.frames;
    let [from, to] = [0, this.frames];
    while (from < to) {
      const middle = (from + to) >> 1;
      if (this.#textEnds[middle]! > units) to = middle;
      else from = middle + 1;
    }
    return from;
  }

  /** Where the text of a frame starts. */
  textStart(index: number): number {
    return index === 0 ? 0 : this.#textEnds[index - 1]!;
  }

  frameAt(index: number): { frame: SseFrame; delta: Delta } {
    const { event, before, after, delta, wire } = this.shape;
    const start = this.#wireStart(index) + wire.before.length;
    const data = before + this.wire.slice(start, this.#wireEnds[index]! - wire.after.length) + after;
    const text = this.text.slice(this.textStart(index), this.#textEnds[index]);
    return { frame: event === undefined ? { data } : { event, data }, delta: { ...delta, text } };
  }

  /** The same run with copies of its texts, which keep nothing else in memory. */
  copied(): RepeatedRun {
    return new RepeatedRun(
      this.shape,
      copyText(this.wire),
      copyText(this.text),
      this.#wireEnds,
      this.#textEnds,
    );
  }

  /** The frames from one index up to another. */
  part(from: number, to: number): RepeatedRun {
    if (from === 0 && to === this.frames) return this;
    const [wireStart, textStart] = [this.#wireStart(from), this.textStart(from)];
    return new RepeatedRun(
      this.shape,
      this.wire.slice(wireStart, this.#wireStart(to)),
      this.text.slice(textStart, this.textStart(to)),
      this.#wireEnds.slice(from, to).map((end) => end - wireStart),
      this.#textEnds.slice(from, to).map((end) => end - textStart),
    );
  }

  /** The frames in the form in which they are sent, each with this ending. */
  endedBy(ending: string): string {
    const { length } = this.shape.wire.after;
    if (ending === this.shape.wire.after) return this.wire;
    let text = '';
    for (const [index, end] of this.#wireEnds.entries()) {
      text += this.wire.slice(this.#wireStart(index), end - length) + ending;
    }
    return text;
  }

  #wireStart(index: number): number {
    return index === 0 ? 0 : this.#wireEnds[index - 1]!;
  }
}

/** The frames of all pieces, one by one. */
export function framesOf(pieces: readonly (SseFrame | RepeatedRun)[]): SseFrame[] {
  return pieces.flatMap((piece) =>
    piece instanceof RepeatedRun
      ? Array.from({ length: piece.frames }, (_, index) => piece.frameAt(index).frame)
      : piece,
  );
}
