/** The shortest time that requests get to finish while a process stops. It is the default of `total_timeout_ms`. */
const LEAST_MS = 600_000;

/**
 * How long a drain waits for requests, in milliseconds: as long as the one with the longest `total_timeout_ms` may take, and
 * at least ten minutes. Undefined stands for a request whose endpoint is not known.
 */
export function drainTimeMs(totalTimeoutsMs: Iterable<number | undefined>): number {
  let longest = LEAST_MS;
  for (const timeout of totalTimeoutsMs) longest = Math.max(longest, timeout ?? 0);
  return longest;
}
