/** Work on messages of one round of the event loop, before other work gets its turn. */
const ROUND_MS = 2;

/** Who has messages that wait, and hands on some of them. */
export interface Waiting {
  deliver(): void;
}

/**
 * Turns of the streams that have many messages. Those of all streams together take a few milliseconds of each round of
 * the event loop, and streams take turns: what a flood costs the others is one round for each of their own messages.
 */
export class Turns {
  /** Streams whose turn is due, from `#next` on. */
  #due: Waiting[] = [];
  #next = 0;
  #roundEnd = 0;
  #isRound = false;
  /** Changes from one round of the event loop to the next. */
  round = 0;

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Whether this round has had its share of work. */
  get isOver(): boolean {
    const now = this.now();
    if (!this.#isRound) this.#begin(now);
    return now >= this.#roundEnd;
  }

  /** Calls `deliver` in a later round, behind all that wait already. */
  wait(stream: Waiting): void {
    this.#due.push(stream);
    if (!this.#isRound) this.#begin(this.now());
  }

  #begin(now: number): void {
    this.#isRound = true;
    this.#roundEnd = now + ROUND_MS;
    setImmediate(() => this.#end());
  }

  /** The round is over, and so is what it read: a new one begins with the streams that wait. */
  #end(): void {
    this.round++;
    this.#isRound = false;
    // Those that wait again do so behind the others, in a later round.
    const last = this.#due.length;
    if (this.#next === last) return;
    do this.#due[this.#next++]!.deliver();
    while (this.#next < last && !this.isOver);
    if (this.#next > this.#due.length / 2) {
      this.#due = this.#due.slice(this.#next);
      this.#next = 0;
    }
    if (this.#due.length > this.#next && !this.#isRound) this.#begin(this.now());
  }
}

/** Of this thread: all its connections share one event loop. */
export const turns = new Turns();
