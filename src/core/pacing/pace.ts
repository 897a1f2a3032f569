/** Resolves when the next piece of work may begin. */
export type Turn = () => Promise<void>;

/** Longest piece of work before other work gets its turn. */
const PIECE_MS = 4;
/** Among small values the clock is asked once for so many. */
const VALUES_PER_LOOK = 256;

/** Work that is shorter needs no piece. */
const SHORT_MS = 1;

/** When the piece of this round of the event loop ends; 0 where no long work has begun. */
let pieceEnd = 0;

function endRound(): void {
  pieceEnd = 0;
}

/**
 * For long work of many short steps: asked after each of them, it lets other work run when a piece has lasted long
 * enough. All work of one round shares a piece: a request that does one long work after the other has no piece for each.
 */
export class Pace {
  #left = VALUES_PER_LOOK;
  #startedAt = performance.now();
  readonly #turn: Turn;

  /** `turn` is waited for between two pieces: without one, until the event loop has come around. */
  constructor(turn: Turn = nextRoundOfLoop) {
    this.#turn = turn;
  }

  /** To be awaited; undefined while the piece goes on. */
  pause(): Promise<void> | undefined {
    const now = performance.now();
    if (now < this.#startedAt + SHORT_MS) return undefined;
    if (pieceEnd === 0) {
      pieceEnd = this.#startedAt + PIECE_MS;
      setImmediate(endRound);
    }
    return now < pieceEnd ? undefined : this.#rest();
  }

  /** As `pause`, after a step on one value of many. A long text counts as the values that it could be. */
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
