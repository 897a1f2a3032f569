/** How long messages are handled in one round of the event loop before other work gets its turn. */
const ROUND_MS = 2;

/** A stream with waiting messages. It delivers some of them when it is called. */
export interface Waiting {
  deliver(): void;
}

/**
 * Shares the event loop among streams with many messages. Together they take a few milliseconds of each round, and
 * they take turns, so a flood on one stream delays each message of another stream by one round.
 */
export class Turns {
  /** The streams whose turn is due. Those before index `#next` had their turn. */
  #due: Waiting[] = [];
  #next = 0;
  #roundEnd = 0;
  #isRound = false;
  /** A number that changes from one round of the event loop to the next. */
  round = 0;

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Whether the time for this round is used up. */
  get isOver(): boolean {
    const now = this.now();
    if (!this.#isRound) this.#begin(now);
    return now >= this.#roundEnd;
  }

  /** Calls `deliver` of the stream in a later round, after all streams that already wait. */
  wait(stream: Waiting): void {
    this.#due.push(stream);
    if (!this.#isRound) this.#begin(this.now());
  }

  #begin(now: number): void {
    this.#isRound = true;
    this.#roundEnd = now + ROUND_MS;
    setImmediate(() => this.#end());
  }

  /** Ends the round and begins the next one with the streams that wait. */
  #end(): void {
    this.round++;
    this.#isRound = false;
    // Streams that must wait again are called after the others, in a later round.
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

/** The turns of this thread. All its connections share them, because they share one event loop. */
export const turns = new Turns();
