import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '../../../core/clock.js';

/** How long to wait for a log that may still be on its way. */
export const LANDING_PATIENCE_MS = 2000;
const LOOK_AGAIN_MS = 50;

/** Repeats `look` until it finds something; undefined where it does not within the time. */
export async function lookUntil<Value>(
  clock: Clock,
  patienceMs: number,
  look: () => Promise<Value | undefined>,
): Promise<Value | undefined> {
  const start = clock.monotonic();
  for (;;) {
    const value = await look();
    if (value !== undefined || clock.monotonic() - start >= patienceMs) return value;
    await delay(LOOK_AGAIN_MS);
  }
}
