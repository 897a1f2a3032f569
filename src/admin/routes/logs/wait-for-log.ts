import { setTimeout as delay } from 'node:timers/promises';
import type { AdminDependencies } from '../../dependencies.js';

/** How long to wait for a log that may still be on its way. */
export const LANDING_PATIENCE_MS = 2000;
/** The first pause between two looks; each is twice as long as the one before, up to the longest. */
const FIRST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 50;

/**
 * Repeats `look` until it finds something. Resolves with undefined where it finds nothing within the time. Logs that
 * wait in the spool of this process for a fuller batch are written at once.
 */
export async function lookUntil<Value>(
  { clock, shipLogsNow }: Pick<AdminDependencies, 'clock' | 'shipLogsNow'>,
  patienceMs: number,
  look: () => Promise<Value | undefined>,
): Promise<Value | undefined> {
  const start = clock.monotonic();
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    const value = await look();
    if (value !== undefined || clock.monotonic() - start >= patienceMs) return value;
    shipLogsNow?.();
    await delay(pauseMs);
  }
}
