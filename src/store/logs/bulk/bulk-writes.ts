import type { AnyBulkWriteOperation } from 'mongodb';
import type { JsonObject } from '../../../core/json.js';
import type { QualityRating } from '../../../core/log-record.js';
import type { LogDocument, StatMark } from '../../mongodb/collections.js';
import { packMetadata, unpackMetadata } from '../inserts/log-document.js';
import { termsBesideTags } from '../search/metadata-terms.js';

/** The fields of a log that are read to change it. */
export const FIELDS = {
  created_at: 1,
  metadata: 1,
  '_packed.metadata': 1,
  tags: 1,
  _counted_tags: 1,
  _counted_stats: 1,
  'plugin_runs.outcome': 1,
  feedback_count: 1,
  '_signals.bytes': 1,
  score: 1,
  quality_rating: 1,
} as const;

export type Changeable = Pick<
  LogDocument,
  | '_id'
  | 'metadata'
  | '_packed'
  | 'tags'
  | '_counted_tags'
  | '_counted_stats'
  | 'feedback_count'
  | 'score'
  | 'quality_rating'
> & { plugin_runs: readonly unknown[]; _signals?: { bytes?: number }[] };

/** The fields of a log that people can change, with their new values. */
export interface LogChange {
  tags?: string[];
  metadata?: JsonObject;
  quality_rating?: QualityRating | null;
}

export function fieldOf(log: Changeable, name: keyof LogChange): unknown {
  return name === 'metadata' ? unpackMetadata(log) : log[name];
}

/** What the counts contain of a log without a mark. */
function heldOf({ plugin_runs, feedback_count, score }: Changeable): StatMark {
  return { runs: plugin_runs.length, feedback: feedback_count, score };
}

/** Whether the log's metadata is stored as text. */
function isTextual({ _packed }: Changeable): boolean {
  return _packed?.metadata !== undefined;
}

export function updateOf(
  project_uid: string,
  log: Changeable,
  change: LogChange,
): AnyBulkWriteOperation<LogDocument> {
  const set: Record<string, unknown> = {};
  const unset: Record<string, 1> = {};
  if (change.tags !== undefined) {
    set.tags = change.tags;
    set._counted_tags = log._counted_tags ?? log.tags;
    set._counted_stats = log._counted_stats ?? heldOf(log);
  }
  if (change.metadata !== undefined) {
    const { metadata, packed } = packMetadata(change.metadata);
    set.metadata = metadata;
    if (packed === undefined) unset['_packed.metadata'] = 1;
    else set['_packed.metadata'] = packed;
  }
  if (change.tags !== undefined || change.metadata !== undefined) {
    const isPacked = '_packed.metadata' in set || (change.metadata === undefined && isTextual(log));
    const terms = termsBesideTags(change.metadata ?? unpackMetadata(log), change.tags ?? log.tags, isPacked);
    if (terms.length > 0) set._metadata_terms = terms;
    else unset._metadata_terms = 1;
  }
  if (change.quality_rating !== undefined) set.quality_rating = change.quality_rating;
  const update = {
    $set: set,
    $inc: { _revision: 1 },
    ...(Object.keys(unset).length > 0 ? { $unset: unset } : {}),
  };
  return { updateOne: { filter: { project_uid, _id: log._id }, update: update as object } };
}
