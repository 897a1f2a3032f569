import type { JsonObject } from '../../core/json.js';
import type { RatedLog } from './rated-log.js';

/** Where a line comes from: its log, and why it was included. */
export function provenanceOf({ record, signals }: RatedLog): JsonObject {
  return {
    log_id: record._id,
    score: record.score,
    quality_rating: record.quality_rating,
    signals: signals.map(
      ({ id, score, weight, signal_name, signal_source, signal_type, improvement, metadata }) => ({
        id,
        score,
        weight,
        signal_name,
        signal_source,
        signal_type,
        improvement: improvement !== null,
        ...judgedOf(metadata),
      }),
    ),
    tags: record.tags,
  };
}

/** What judging records besides a score: what was chosen, who chose it, and in which queue. */
const JUDGED = ['value', 'choice', 'annotator', 'queue'] as const;

function judgedOf(metadata: JsonObject | null | undefined): JsonObject {
  const found = JUDGED.flatMap((name) => {
    const value = metadata?.[name];
    return typeof value === 'string' || typeof value === 'number' ? [[name, value] as const] : [];
  });
  return Object.fromEntries(found);
}
