import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../../core/logger.js';
import { isStorageAway } from './storage-errors.js';

/** Recurring work. Several processes may do it at once. */
export interface Chore {
  name: string;
  everyMs: number;
  /** Does the work. Long work must stop soon after `signal`, because the process waits for it. */
  run(signal: AbortSignal): Promise<unknown>;
}

/** Runs the chores, each at its own interval, until `stop` is called, which resolves when none is running. */
export function startMaintenance(chores: readonly Chore[], logger: Logger): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const done = Promise.all(chores.map((chore) => repeat(chore, stopping.signal, logger)));
  return {
    stop: async () => {
      stopping.abort();
      await done;
    },
  };
}

async function repeat({ name, everyMs, run }: Chore, signal: AbortSignal, logger: Logger): Promise<void> {
  let failing = false;
  while (!signal.aborted) {
    try {
      await run(signal);
      failing = false;
    } catch (error) {
      // An outage is logged once, because the chore runs again soon.
      if (!failing || !isStorageAway(error)) logger.warn({ err: error }, `${name} failed and is tried again`);
      failing = true;
    }
    await delay(everyMs, undefined, { signal }).catch(() => {});
  }
}
