/** Resolves when the next piece of work may begin. */
export type Turn = () => Promise<void>;

const PIECE_MS = 5;
/** The clock is asked once for so many values. */
const VALUES_PER_LOOK = 256;

/** Rests between pieces of work on a large value. One for each walk. */
export class Pace {
  #left = VALUES_PER_LOOK;
  #until = performance.now() + PIECE_MS;
  readonly #turn: Turn;

  constructor(turn: Turn) {
    this.#turn = turn;
  }

  /** Whether it is time to rest; to be asked once a value. A long text counts as the values that it could be. */
  isDue(units: number): boolean {
    this.#left -= 1 + (units >> 6);
    if (this.#left > 0) return false;
    this.#left = VALUES_PER_LOOK;
    return performance.now() >= this.#until;
  }

  async rest(): Promise<void> {
    await this.#turn();
    this.#until = performance.now() + PIECE_MS;
  }
}
