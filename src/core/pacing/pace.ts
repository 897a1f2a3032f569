/** Resolves when the next piece of work may start. */
export type Turn = () => Promise<void>;

/** The longest piece of work before other work gets a turn. */
const PIECE_MS = 4;
/** Among small values, the clock is read only once for this many. */
const VALUES_PER_LOOK = 256;

/** Shorter work is not counted as a piece. */
const SHORT_MS = 1;

/** The time at which the piece of work in this round of the event loop ends; 0 where no long work has begun in it. */
let pieceEnd = 0;

function endRound(): void {
  pieceEnd = 0;
}

/**
 * Divides long work of many short steps into pieces. It is asked after each step, and lets other work run when a
 * piece has lasted long enough. All work in one round of the event loop shares one piece, so that a request with
 * several long tasks does not get a piece for each.
 */
export class Pace {
  #left = VALUES_PER_LOOK;
  #startedAt = performance.now();
  readonly #turn: Turn;
  readonly #pieceMs: number;

  /** `turn` is awaited between two pieces; by default it waits for the next round of the event loop. */
  constructor(turn: Turn = nextRoundOfLoop, pieceMs = PIECE_MS) {
    this.#turn = turn;
    this.#pieceMs = pieceMs;
  }

  /** Await the result; undefined while the piece goes on. */
  pause(): Promise<void> | undefined {
    const now = performance.now();
    if (now < this.#startedAt + SHORT_MS) return undefined;
    if (pieceEnd === 0) {
      pieceEnd = this.#startedAt + PIECE_MS;
      setImmediate(endRound);
    }
    return now < pieceEnd && now < this.#startedAt + this.#pieceMs ? undefined : this.#rest();
  }

  /** Does the same as `pause`, after a step on one value of many. A long text counts as several values. */
  pauseAmongValues(units = 0): Promise<void> | undefined {
    this.#left -= 1 + (units >> 6);
    if (this.#left > 0) return undefined;
    this.#left = VALUES_PER_LOOK;
    return this.pause();
  }

  async #rest(): Promise<void> {
    await this.#turn();
    this.#startedAt = performance.now();
  }
}

export function nextRoundOfLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
