import { systemClock } from '../../src/core/clock.js';
import { FragmentBatch } from '../../src/store/logs/fragments/fragment-batch.js';
import { KnownFragments } from '../../src/store/logs/fragments/known-fragments.js';

/** The fragments of a batch in a process that has not seen any yet. */
export function freshFragments(): FragmentBatch {
  return new FragmentBatch(new KnownFragments(systemClock), systemClock);
}
