import { heavyWork } from './heavy-work.js';
import type { MaybePromise } from './maybe-promise.js';
import { nextRoundOfLoop, Pace } from './pace.js';

/**
 * Work in short steps: it yields after each of them, so that other work can have a turn. Where it has to wait for
 * something, it yields the promise. docs/turns.md says when to write work so.
 */
export type Steps<Result = void> = Generator<Wait, Result>;

/** What a step yields: nothing, or a promise that it waits for. */
// biome-ignore lint/suspicious/noConfusingVoidType: the detector imports nothing of this folder, and its generators yield void.
type Wait = Promise<unknown> | void;

/** Waits for a turn among the work on large bodies. One that is free at once would continue in the same round. */
export async function turnAmongHeavyWork(): Promise<void> {
  await nextRoundOfLoop();
  await heavyWork.next();
}

/**
 * Runs work to its end: at once, and without a promise, where it takes less than one piece of time and waits for
 * nothing, as most work does. Longer work continues in pieces, which take turns with the work on large bodies.
 */
export function runSteps<Result>(steps: Steps<Result>): MaybePromise<Result> {
  const first = steps.next();
  if (first.done) return first.value;
  const pace = new Pace(turnAmongHeavyWork);
  for (let step: IteratorResult<Wait, Result> = first; ; step = steps.next()) {
    if (step.done) return step.value;
    const pause = step.value ?? pace.pause();
    if (pause !== undefined) return pause.then(() => inTurns(steps, pace));
  }
}

/** Runs work to its end in pieces of time, with turns for other work between them. */
export async function inTurns<Result>(steps: Steps<Result>, pace = new Pace()): Promise<Result> {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    const pause = step.value ?? pace.pause();
    if (pause !== undefined) await pause;
  }
}

/** Runs work to its end without a pause, for little work. Throws where the work would have to wait for something. */
export function atOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    if (step.value !== undefined) throw new Error('work that is done at once cannot wait for a promise');
  }
}
