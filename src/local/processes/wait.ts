import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from './start-error.js';

export interface WaitOptions {
  timeoutMs: number;
  /** Time between two looks; 50 unless told. */
  intervalMs?: number;
  signal?: AbortSignal;
  /** Whether no further look can change what was thrown; none is final unless told. */
  isFinal?: (error: unknown) => boolean;
}

/**
 * Looks until `look` gives something other than undefined or false, and gives that. A look that throws counts
 * as "not yet" unless it is final; the last error is the cause of the one thrown when the time is over.
 */
export async function waitFor<T>(
  what: string,
  look: () => Promise<T | undefined | false> | T | undefined | false,
  options: WaitOptions,
): Promise<T> {
  const end = performance.now() + options.timeoutMs;
  let cause: unknown;
  do {
    options.signal?.throwIfAborted();
    try {
      const found = await look();
      if (found !== undefined && found !== false) return found;
      cause = undefined;
    } catch (error) {
      if (options.isFinal?.(error)) throw error;
      cause = error;
    }
    await sleep(options.intervalMs ?? 50, undefined, { signal: options.signal });
  } while (performance.now() < end);
  const last = cause === undefined ? '' : ` (${messageOf(cause)})`;
  throw new Error(`${what}: not within ${options.timeoutMs / 1000} s${last}`, { cause });
}
