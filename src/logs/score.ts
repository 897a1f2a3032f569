import type { LogRecord } from '../core/log-record.js';

type Rated = Pick<LogRecord, 'score' | 'quality_rating'>;

/** The rating of an answer from -1 to 1: its score, or its thumb where it has none. Null where nobody rated it. */
export function ratingOf({ score, quality_rating }: Rated): number | null {
  if (score !== null) return score;
  if (quality_rating === null) return null;
  return quality_rating === '👍' ? 1 : -1;
}

/** Whether an answer may be used for training as it is. */
export function isGood({ score, quality_rating }: Rated): boolean {
  return (score !== null && score > 0) || quality_rating === '👍';
}

/**
 * Whether an answer was rated good or bad. Undefined where nobody rated it, or where the score is 0 and there is no thumb.
 */
export function labelOf(log: Rated): boolean | undefined {
  if (log.score) return log.score > 0;
  return log.quality_rating === null ? undefined : log.quality_rating === '👍';
}
