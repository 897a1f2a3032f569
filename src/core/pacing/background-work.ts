import { OneAtATime } from './one-at-a-time.js';
import { Pace } from './pace.js';

/** The longest piece of work in the background before other work gets a turn. */
const PIECE_MS = 2;

/**
 * Gives turns to work that no model's answer waits for, such as exports, lists, statistics and the deletion of logs: one
 * piece in a round of the event loop, however many such tasks there are. A task that waits gets the next piece.
 */
export class BackgroundWork {
  readonly #tasks = new OneAtATime();

  /** Await this before a piece of work. The piece itself must not wait for anything. */
  async next(): Promise<void> {
    const leave = await this.#tasks.enter();
    // Answers are written to their sockets in immediates, and a timer comes after all of this round. An immediate of our own
    // would come before those that requests add meanwhile.
    await new Promise((resolve) => setTimeout(resolve, 0));
    // The caller's piece runs as soon as this resolves, so it has ended when immediates run.
    setImmediate(leave);
  }
}

/** The turns of this thread, because all of its work shares one event loop. */
export const backgroundWork = new BackgroundWork();

/** Divides long work in the background into pieces, which take turns. */
export function backgroundPace(): Pace {
  return new Pace(() => backgroundWork.next(), PIECE_MS);
}
