import { heavyWork } from './heavy-work.js';
import { inTurns, nextRoundOfLoop, Pace } from './pace.js';

/**
 * Work in short steps run to its end. At once, and with no promise, where it is done within a piece, as most is; else in
 * pieces that wait for their turns among the work on large bodies.
 */
export function whereLongInTurns<Result>(steps: Generator<void, Result>): Result | Promise<Result> {
  const first = steps.next();
  if (first.done) return first.value;
  // A turn that is free at once would go on in the same round.
  const pace = new Pace(async () => {
    await nextRoundOfLoop();
    await heavyWork.next();
  });
  for (;;) {
    const pause = pace.pause();
    if (pause !== undefined) return pause.then(() => inTurns(steps, pace));
    const step = steps.next();
    if (step.done) return step.value;
  }
}
