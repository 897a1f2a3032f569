import type { MaybePromise } from './maybe-promise.js';
import { settle } from './maybe-promise.js';
import { Pace, type Turn } from './pace.js';
import { turnAmongHeavyWork } from './steps.js';

/**
 * Repeats a short step until it returns false: at once, and without a promise, where this takes less than one piece of
 * time and the step waits for nothing. Longer work continues in pieces; `turn` is awaited between two of them, and
 * by default they take turns with the work on large bodies. It does for a function what `runSteps` does for a
 * generator, and makes no object for each step.
 */
export function repeat(
  step: () => MaybePromise<boolean>,
  turn: Turn = turnAmongHeavyWork,
): MaybePromise<void> {
  const first = step();
  if (first === false) return undefined;
  const pace = new Pace(turn);
  for (let more: MaybePromise<boolean> = first; more !== false; more = step()) {
    const pause = more === true ? pace.pause() : more;
    if (pause !== undefined) return goOn(pause, step, pace);
  }
}

/** `pause` is what the last step gave, or a pause after it. */
async function goOn(pause: Promise<unknown>, step: () => MaybePromise<boolean>, pace: Pace): Promise<void> {
  if ((await pause) === false) return;
  while (await step()) {
    const rest = pace.pause();
    if (rest !== undefined) await rest;
  }
}

/** Calls `handle` with each item, one after the other, in the same way. */
export function eachInTurn<Item>(
  items: readonly Item[],
  handle: (item: Item) => MaybePromise<void>,
  turn?: Turn,
): MaybePromise<void> {
  if (items.length === 0) return undefined;
  if (items.length === 1) return handle(items[0]!);
  let next = 0;
  return repeat(() => settle(handle(items[next++]!), () => next < items.length), turn);
}
