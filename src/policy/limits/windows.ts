import type { LimitWindow } from '../../core/settings.js';

const FIXED_MS = { second: 1_000, minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const;

/** A window in UTC, from its first millisecond to the first one after it, in epoch milliseconds. */
export interface WindowSpan {
  start: number;
  end: number;
}

/**
 * The window that contains this moment. All windows but months have equal lengths, because epoch time has no leap
 * seconds.
 */
export function windowAt(window: LimitWindow, at: number): WindowSpan {
  if (window === 'month') return monthAt(at);
  const length = FIXED_MS[window];
  const start = Math.floor(at / length) * length;
  return { start, end: start + length };
}

function monthAt(at: number): WindowSpan {
  const date = new Date(at);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  return { start: Date.UTC(year, month), end: Date.UTC(year, month + 1) };
}
