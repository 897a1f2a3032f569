import type { LogRecord } from '../../core/log-record.js';
import { windowAt } from './windows.js';

/** What was used earlier of a counter whose window is still open. */
export interface UsedOfCounter {
  key: string;
  requests: number;
  tokens: number;
  cost_usd: number;
}

/** The members of a log that the ledger reads. The record of an exchange is its settlement. */
export type SettledLog = Pick<LogRecord, 'created_at' | 'limits' | 'usage' | 'cost'>;

/** Adds up the usage that logs report in the windows that contain `now`. */
export function usedByLogs(logs: Iterable<SettledLog>, now: number): UsedOfCounter[] {
  const sums = new Map<string, UsedOfCounter>();
  for (const { created_at, limits, usage, cost } of logs) {
    // A request that one limit refused does not count for any limit.
    if (limits === undefined || limits.some(({ outcome }) => outcome === 'rejected')) continue;
    for (const { id, window } of limits) {
      if (window === undefined) continue;
      if (windowAt(window, created_at.getTime()).start !== windowAt(window, now).start) continue;
      const sum = sums.get(id) ?? { key: id, requests: 0, tokens: 0, cost_usd: 0 };
      sum.requests += 1;
      sum.tokens += usage === null ? 0 : usage.input_tokens + usage.output_tokens;
      sum.cost_usd += cost ?? 0;
      sums.set(id, sum);
    }
  }
  return [...sums.values()];
}
