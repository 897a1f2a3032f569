import type { Channel } from '../../../core/answer.js';
import { Fifo } from '../../../core/lists/fifo.js';
import { TextCollector } from '../../../core/texts/text-collector.js';
import type { Piece } from '../../../core/texts/text-pieces.js';
import type { WaitingText } from './queued-frame.js';

/**
 * One channel of a guarded stream: the frames whose text waits for the guard, and all text that arrived and was
 * released.
 */
export class ChannelText {
  readonly channel: Channel;
  readonly #waiting = new Fifo<WaitingText>();
  /** Text that arrived and that the guard has not seen yet. */
  readonly #unseen = new TextCollector();
  readonly #came = new TextCollector();
  readonly #went = new TextCollector();
  #changed = false;

  constructor(channel: Channel) {
    this.channel = channel;
  }

  /** The number of UTF-16 units that arrived. */
  get length(): number {
    return this.#came.length;
  }

  /** How many of these units the guard has not seen yet. */
  get unseenLength(): number {
    return this.#unseen.length;
  }

  get isWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  get changed(): boolean {
    return this.#changed;
  }

  /** All text that arrived, and the text that was released for it. */
  whole(): { came: string; went: string } {
    return { came: this.#came.whole(), went: this.#went.whole() };
  }

  add(text: WaitingText): void {
    this.#waiting.push(text);
    this.#came.add(text.original);
    this.#unseen.add(text.original);
  }

  /** Takes text to show to the guard, at most this many units. */
  takeUnseen(most: number): string {
    const text = this.#unseen.take();
    if (text.length <= most) return text;
    this.#unseen.add(text.slice(most));
    return text.slice(0, most);
  }

  /** Assigns the pieces to the frames that they stand for. A replacement goes to the first of its frames. */
  release(pieces: readonly Piece[]): void {
    for (const piece of pieces) {
      this.#went.add(piece.text);
      if (piece.changed) this.#changed = true;
      this.#place(piece);
    }
  }

  #place({ source, text, changed }: Piece): void {
    let left = source;
    let replacement = text;
    while (left > 0) {
      const { first } = this.#waiting;
      if (first === undefined) throw new Error('a guard released more text than it was given');
      if (changed && first.split !== undefined) {
        this.#waiting.replaceFirst(first.split(left));
        continue;
      }
      const taken = Math.min(left, first.undecided);
      first.text += changed ? replacement : text.slice(source - left, source - left + taken);
      replacement = '';
      first.undecided -= taken;
      left -= taken;
      if (first.undecided === 0) this.#waiting.shift();
    }
  }
}
