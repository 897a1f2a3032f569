import type { Channel } from '../../../core/answer.js';
import type { Piece } from '../../../core/texts/text-pieces.js';
import type { WaitingText } from './queued-frame.js';

/** One channel of a guarded stream: which frames' texts wait for the guard, and all that came and went. */
export class ChannelText {
  readonly channel: Channel;
  readonly #waiting: WaitingText[] = [];
  /** Came, and not shown to the guard yet. */
  #unseen: string[] = [];
  readonly #came: string[] = [];
  readonly #went: string[] = [];
  #changed = false;
  /** UTF-16 units that came. */
  length = 0;
  /** Of these, how many the guard was not shown yet. */
  unseenLength = 0;

  constructor(channel: Channel) {
    this.channel = channel;
  }

  get isWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  get changed(): boolean {
    return this.#changed;
  }

  /** All text that came, and what of it may go on. */
  whole(): { came: string; went: string } {
    return { came: joined(this.#came), went: joined(this.#went) };
  }

  add(text: WaitingText): void {
    this.#waiting.push(text);
    this.#came.push(text.original);
    this.#unseen.push(text.original);
    this.length += text.original.length;
    this.unseenLength += text.original.length;
  }

  /** What the guard is to be shown now: at most so many units. */
  takeUnseen(most: number): string {
    const text = this.#unseen.length === 1 ? this.#unseen[0]! : this.#unseen.join('');
    this.#unseen = text.length > most ? [text.slice(most)] : [];
    this.unseenLength = Math.max(0, text.length - most);
    return text.length > most ? text.slice(0, most) : text;
  }

  /** Gives the pieces to the frames that they stand for; a replacement goes to the first of its frames. */
  release(pieces: readonly Piece[]): void {
    for (const piece of pieces) {
      this.#went.push(piece.text);
      if (piece.changed) this.#changed = true;
      this.#place(piece);
    }
  }

  #place({ source, text, changed }: Piece): void {
    let left = source;
    let replacement = text;
    while (left > 0) {
      const first = this.#waiting[0];
      if (first === undefined) throw new Error('a guard let more text go than came');
      if (changed && first.split !== undefined) {
        this.#waiting.splice(0, 1, ...first.split(left));
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

/** Leaves the pieces joined, so that to ask again costs nothing. */
function joined(pieces: string[]): string {
  const text = pieces.join('');
  pieces.splice(0, pieces.length, text);
  return text;
}
