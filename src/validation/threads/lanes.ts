import { Lane } from './lane.js';
import { startThread } from './start-thread.js';

/** A longer queue would mean seconds of waiting; further jobs are refused at once. */
const MAX_WAITING = 256;

/**
 * The threads, parted so that what may take long never stands before what does not:
 *
 * - `compile`: schemas that compile in a few milliseconds; `compileSlowly`: large ones, and patterns that count far.
 * - `steady`: checks whose time grows with the output alone; `risky`: checks whose time cannot be foreseen.
 * - `penalty`: checks of schemas that have run into the deadline before.
 */
export interface Lanes {
  compile: Lane;
  compileSlowly: Lane;
  steady: Lane;
  risky: Lane;
  penalty: Lane;
}

export function createLanes(): Lanes {
  const lane = (threads: number, compiles: boolean) =>
    new Lane({ threads, maxWaiting: MAX_WAITING, start: () => startThread({ compiles }) });
  return {
    compile: lane(1, true),
    compileSlowly: lane(1, true),
    steady: lane(1, false),
    risky: lane(2, false),
    penalty: lane(1, false),
  };
}
