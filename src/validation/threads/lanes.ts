import { Lane } from './lane.js';
import { startThread } from './start-thread.js';

/** The most jobs that wait for a lane. More would mean seconds of waiting, so further jobs are refused at once. */
const MAX_WAITING = 256;

/**
 * The threads in lanes, so that jobs that may take long never delay those that do not:
 * - `compile`: schemas that compile in a few milliseconds; `compileSlowly`: large ones, and patterns with large counts.
 * - `steady`: validations whose time grows only with the output; `risky`: those whose time cannot be predicted.
 * - `penalty`: validations with schemas that have exceeded the deadline before.
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
