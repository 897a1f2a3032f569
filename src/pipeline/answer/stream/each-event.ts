import type { StreamEvent } from '../../../core/answer.js';
import type { MaybePromise } from '../../../core/pacing/maybe-promise.js';
import { runSteps, type Steps } from '../../../core/pacing/steps.js';

/** The most events of a frame that are handled in one step. Nearly all frames have one or two. */
export const EVENTS_AT_ONCE = 100;

/** Calls `note` with each event: at once where there are few, and otherwise in steps. */
export function eachEvent(
  events: readonly StreamEvent[],
  note: (event: StreamEvent) => void,
): MaybePromise<void> {
  if (events.length > EVENTS_AT_ONCE) return runSteps(eachInSteps(events, note));
  for (const event of events) note(event);
}

function* eachInSteps(events: readonly StreamEvent[], note: (event: StreamEvent) => void): Steps {
  for (const [index, event] of events.entries()) {
    note(event);
    if (index % EVENTS_AT_ONCE === EVENTS_AT_ONCE - 1) yield;
  }
}
