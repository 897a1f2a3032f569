import { createHash } from 'node:crypto';
import type { LogAmendment } from '../../../core/log-sink.js';
import { STATS_BEHIND } from '../../counts/stat-values.js';
import { TAGS_BEHIND } from '../../counts/tag-deltas.js';
import type { Collections, LogDocument } from '../../mongodb/collections.js';
import { FORMER } from '../search/metadata-terms.js';
import { findingTypes, toStoredRun } from './log-document.js';

/** Amendments by the id of their log. */
export type Amendments = ReadonlyMap<string, readonly LogAmendment[]>;

/** A new log with its amendments applied, as `amendLog` does for a stored one. */
export function withAmendments(document: LogDocument, amendments: readonly LogAmendment[]): LogDocument {
  const hashes = new Set<string>();
  const tags = new Set(document.tags);
  const runs = [...document.plugin_runs];
  let isDue = document._log_phase_due;
  for (const amendment of amendments) {
    const hash = hashOf(amendment);
    if (hashes.has(hash) || (amendment.log_phase && !isDue)) continue;
    hashes.add(hash);
    if (amendment.log_phase) isDue = undefined;
    runs.push(...amendment.plugin_runs.map(toStoredRun));
    for (const tag of amendment.add_tags) tags.add(tag);
  }
  const { _log_phase_due, _log_phase_claimed_until, _log_phase_engine, ...rest } = document;
  const found = findingTypes(runs);
  return {
    _amendments: [...hashes],
    ...(isDue ? document : rest),
    tags: [...tags],
    plugin_runs: runs,
    ...(found.length > 0 ? { _findings: found } : {}),
  };
}

/** Identifies an amendment, so that a second application is noticed. */
function hashOf(amendment: LogAmendment): string {
  return createHash('sha256').update(JSON.stringify(amendment)).digest('base64url').slice(0, 22);
}

/** Applies an amendment to a log. False where the log does not exist (yet). */
export async function amendLog(collections: Collections, amendment: LogAmendment): Promise<boolean> {
  const hash = hashOf(amendment);
  const id = amendment.log_id;
  const tags = [...new Set(amendment.add_tags)];
  const due = amendment.log_phase ? { _log_phase_due: true as const } : {};
  const found = findingTypes(amendment.plugin_runs);
  const result = await collections.logs.updateOne({ _id: id, _amendments: { $ne: hash }, ...due }, [
    ...(amendment.log_phase
      ? [{ $unset: ['_log_phase_due', '_log_phase_claimed_until', '_log_phase_engine'] }]
      : []),
    {
      $set: {
        plugin_runs: {
          $concatArrays: ['$plugin_runs', { $literal: amendment.plugin_runs.map(toStoredRun) }],
        },
        _amendments: { $concatArrays: [{ $ifNull: ['$_amendments', []] }, [hash]] },
        _counted_tags: TAGS_BEHIND,
        _counted_stats: STATS_BEHIND,
        ...(found.length > 0 ? { _findings: union('$_findings', found) } : {}),
        ...(tags.length > 0 ? { _revision: NEXT_REVISION, ...tagsUpdate(addedTags(tags)) } : {}),
      },
    },
  ]);
  if (result.matchedCount > 0) return true;
  return (await collections.logs.countDocuments({ _id: id }, { limit: 1 })) > 0;
}

/** An aggregation expression: a list with those of these values added that it lacks, in their order. */
function union(list: string, values: string[]): object {
  const known = { $ifNull: [list, []] };
  const isNew = { $not: { $in: ['$$one', known] } };
  return { $concatArrays: [known, { $filter: { input: { $literal: values }, as: 'one', cond: isNew } }] };
}

/** An aggregation expression: the log's revision after a change of editable fields. */
export const NEXT_REVISION = { $add: [{ $ifNull: ['$_revision', 0] }, 1] };

/** An aggregation expression: the log's tags, with the new ones among these added. */
function addedTags(tags: string[]): object {
  const isNew = { $not: { $in: ['$$tag', '$tags'] } };
  return { $concatArrays: ['$tags', { $filter: { input: { $literal: tags }, as: 'tag', cond: isNew } }] };
}

/** The fields that change together with a log's tags, because the counts still contain the old ones. */
export function tagsUpdate(tags: object): object {
  return { tags, _counted_tags: TAGS_BEHIND, _counted_stats: STATS_BEHIND };
}

/**
 * An aggregation expression: the metadata terms of a log that loses all tags except these. The lost tags may have stood for
 * its metadata.
 */
export function termsWithout(kept: string[]): object {
  const lost = { $setDifference: ['$tags', { $literal: kept }] };
  const former = { $map: { input: lost, as: 'tag', in: { $concat: [FORMER, '$$tag'] } } };
  const terms = { $setUnion: [{ $ifNull: ['$_metadata_terms', []] }, former] };
  return { $cond: [{ $eq: [terms, []] }, '$$REMOVE', terms] };
}
