import type { JsonObject } from '../../core/json.js';
import type { RatedLog } from './rated-log.js';

/** Where a line comes from: its log, and why it was included. */
export function provenanceOf({ record, signals }: RatedLog): JsonObject {
  return {
    log_id: record._id,
    score: record.score,
    quality_rating: record.quality_rating,
    signals: signals.map(({ id, score, weight, signal_name, signal_source, signal_type, improvement }) => ({
      id,
      score,
      weight,
      signal_name,
      signal_source,
      signal_type,
      improvement: improvement !== null,
    })),
    tags: record.tags,
  };
}
