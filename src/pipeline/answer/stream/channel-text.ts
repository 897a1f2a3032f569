import type { Channel } from '../../../core/answer.js';
import { Fifo } from '../../../core/fifo.js';
import { TextCollector } from '../../../core/texts/text-collector.js';
import type { Piece } from '../../../core/texts/text-pieces.js';
import type { WaitingText } from './queued-frame.js';

/** One channel of a guarded stream: which frames' texts wait for the guard, and all that came and went. */
export class ChannelText {
  readonly channel: Channel;
  readonly #waiting = new Fifo<WaitingText>();
  /** Came, and not shown to the guard yet. */
  readonly #unseen = new TextCollector();
  readonly #came = new TextCollector();
  readonly #went = new TextCollector();
  #changed = false;

  constructor(channel: Channel) {
    this.channel = channel;
  }

  /** UTF-16 units that came. */
  get length(): number {
    return this.#came.length;
  }

  /** Of these, how many the guard was not shown yet. */
  get unseenLength(): number {
    return this.#unseen.length;
  }

  get isWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  get changed(): boolean {
    return this.#changed;
  }

  /** All text that came, and what of it may go on. */
  whole(): { came: string; went: string } {
    return { came: this.#came.whole(), went: this.#went.whole() };
  }

  add(text: WaitingText): void {
    this.#waiting.push(text);
    this.#came.add(text.original);
    this.#unseen.add(text.original);
  }

  /** What the guard is to be shown now: at most so many units. */
  takeUnseen(most: number): string {
    const text = this.#unseen.take();
    if (text.length <= most) return text;
    this.#unseen.add(text.slice(most));
    return text.slice(0, most);
  }

  /** Gives the pieces to the frames that they stand for; a replacement goes to the first of its frames. */
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
      if (first === undefined) throw new Error('a guard let more text go than came');
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
