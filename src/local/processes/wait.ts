import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from './start-error.js';

export interface WaitOptions {
  timeoutMs: number;
  /** The time between two calls of `look` in milliseconds; 50 by default. */
  intervalMs?: number;
  signal?: AbortSignal;
  /** Whether an error is final, so that trying again is pointless. By default no error is. */
  isFinal?: (error: unknown) => boolean;
}

/**
 * Calls `look` again and again until it returns something other than undefined or false, and returns that. An error
 * counts as "not yet" unless it is final. After the timeout an error is thrown, whose cause is the last one.
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
  throw new Error(`timed out after ${options.timeoutMs / 1000} s: ${what}${last}`, { cause });
}
