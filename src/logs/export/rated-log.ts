import type { JsonObject } from '../../core/json.js';
import type { LogRecord } from '../../core/log-record.js';

/** A feedback signal, as far as training needs it. */
export interface RatingSignal {
  id: string;
  score: number;
  weight: number;
  improvement: { role: string; content: string } | null;
  signal_name: string | null;
  signal_source: 'system' | 'user';
  signal_type: 'explicit' | 'implicit';
  metadata?: JsonObject | null;
}

/** A log with all of its feedback, oldest first. */
export interface RatedLog {
  record: LogRecord;
  signals: readonly RatingSignal[];
}

/** The improved answer: the one with the largest weight, and of those with equal weights the latest. */
export function improvementOf({ signals }: RatedLog): string | undefined {
  let best: RatingSignal | undefined;
  for (const signal of signals) {
    if (signal.improvement !== null && signal.weight >= (best?.weight ?? 0)) best = signal;
  }
  return best?.improvement?.content;
}
