import type { Filter } from 'mongodb';
import type { DialectId } from '../../../core/dialect-ids.js';
import type { LogStatus, QualityRating } from '../../../core/log-record.js';
import { FALLBACK_REASONS, type FallbackReason } from '../../../core/settings.js';
import type { LogDocument, LogPosition } from '../../mongodb/collections.js';
import { FORMER, metadataTerm, spellings, tagOf, valuesWritten } from './metadata-terms.js';
import { wordsOf } from './words.js';

/** A search for logs. All given conditions must hold; of several values one must. */
export interface LogFilter {
  tags_any?: string[];
  tags_all?: string[];
  tags_none?: string[];
  /** A top-level key and its possible values as text. */
  metadata?: { key: string; values: string[] }[];
  model?: string[];
  endpoint?: string[];
  status?: LogStatus[];
  quality_rating?: QualityRating[];
  client_request_id?: string[];
  error_code?: string[];
  /** A fallback reason. */
  fallback_reason?: FallbackReason[];
  /** A plugin that rejected it. */
  rejected_by?: string[];
  /** The name of the key that asked. */
  key?: string[];
  /** A type of what plugins found. */
  finding?: string[];
  api?: DialectId[];
  stream?: boolean;
  min_duration_ms?: number;
  max_duration_ms?: number;
  min_first_token_ms?: number;
  min_cost?: number;
  /** Of input and output together. */
  min_tokens?: number;
  /** Tries of models. */
  min_attempts?: number;
  has_feedback?: boolean;
  /** Whether somebody judged it, by feedback or by a thumb. */
  rated?: true;
  min_score?: number;
  max_score?: number;
  /** From this moment on. */
  from?: Date;
  /** Before this moment. */
  to?: Date;
  /** Words that must all be in the request or its answer. */
  q?: string;
}

export type LogQuery = Filter<LogDocument>;

/** Conditions on fields with many values. */
export interface TermConditions {
  tags: LogQuery[];
  metadata: MetadataCondition[];
  words: LogQuery[];
}

/** A metadata key has one of some values. */
export interface MetadataCondition {
  /** One of these must hold; each is read from an index in order of time. */
  branches: LogQuery[];
  /** The same for logs that are found by another condition. */
  check: LogQuery;
  /** The number of matching logs is at most the sum of these; each is counted in an index. */
  counts: LogQuery[];
}

/** The conditions on fields with many values. */
export function termConditions(filter: LogFilter): TermConditions {
  const { tags_any, tags_all = [], metadata = [], q } = filter;
  return {
    tags: [...(tags_any ? [oneOf(tags_any)] : []), ...tags_all].map((tags) => ({ tags })),
    metadata: metadata.map(metadataCondition),
    words: q === undefined ? [] : wordsOf(q).map((word) => ({ _words: word })),
  };
}

/** A tag says so and the metadata too, or a former tag did, or a term of the log itself does, whatever its tags. */
function metadataCondition({ key, values: written }: { key: string; values: string[] }): MetadataCondition {
  const values = [...new Set(written.flatMap(spellings))];
  const terms = (some: string[]): LogQuery => ({
    _metadata_terms: oneOf(some.map((value) => metadataTerm(key, value))),
  });
  const tags = values.flatMap((value) => tagOf(key, value) ?? []);
  if (tags.length === 0) return { branches: [terms(values)], check: terms(values), counts: [terms(values)] };
  const says = { [`metadata.${key}`]: { $in: written.flatMap(valuesWritten), $not: { $type: 'array' } } };
  const former = tags.map((tag) => `${FORMER}${tag}`);
  return {
    // The entries of one value are in order of time, so each value has a branch.
    branches: values.flatMap((value, at): LogQuery[] => [
      { tags: tags[at]!, ...says },
      { _metadata_terms: former[at]!, ...says },
      // `1.0` is searched as `1`, and a term does not distinguish the number from the string.
      { _metadata_terms: metadataTerm(key, value), ...(written.includes(value) ? {} : says) },
    ]),
    check: { $or: [says, terms(written)] },
    counts: [{ tags: oneOf(tags) }, terms(values), { _metadata_terms: oneOf(former) }],
  };
}

/**
 * The query of a filter. Of several conditions on one field, MongoDB looks up the first in the index and checks the
 * others on each log that it finds, so `terms` puts the rarest first, where that is known.
 */
export function toLogQuery(
  projectUid: string,
  filter: LogFilter,
  terms: TermConditions = termConditions(filter),
): LogQuery {
  const [first, ...others] = terms.metadata;
  const all: LogQuery[] = [
    ...terms.tags,
    ...others.map(({ check }) => check),
    ...terms.words,
    ...settingsConditions(filter),
  ];
  const branches = first?.branches ?? [{}];
  // MongoDB uses an index for each branch, if the `$or` stands alone.
  const queries = branches.map((branch) => together({ project_uid: projectUid }, [branch, ...all]));
  return queries.length === 1 ? queries[0]! : { $or: queries };
}

function together(query: LogQuery, conditions: readonly LogQuery[]): LogQuery {
  const given = conditions.filter((condition) => Object.keys(condition).length > 0);
  return given.length > 0 ? { ...query, $and: given } : query;
}

/** By feedback or by a thumb. */
const JUDGED: LogQuery[] = [{ feedback_count: { $gt: 0 } }, { quality_rating: { $in: ['👍', '👎'] } }];

/** A query with further conditions. */
export function narrow(query: LogQuery, ...conditions: LogQuery[]): LogQuery {
  const [branch, ...others] = branchesOf(query);
  if (others.length === 0) return { $and: [branch!, ...conditions] };
  return { $or: [branch!, ...others].map((one) => ({ $and: [one, ...conditions] })) };
}

/** The same for judged logs, so that each way of judging has an index. */
export function narrowToJudged(query: LogQuery, ...conditions: LogQuery[]): LogQuery {
  return { $or: JUDGED.flatMap((judged) => branchesOf(narrow(query, judged, ...conditions))) };
}

/** The queries of which one must hold, where there are no other conditions. */
function branchesOf(query: LogQuery): LogQuery[] {
  return query.$or === undefined || Object.keys(query).length > 1 ? [query] : query.$or;
}

/** All conditions except those on fields with many values. */
function settingsConditions(filter: LogFilter): LogQuery[] {
  const all: LogQuery[] = [];
  if (filter.tags_none) all.push({ tags: { $nin: filter.tags_none } });
  if (filter.model) all.push({ model: oneOf(filter.model) });
  if (filter.endpoint) all.push({ endpoint: oneOf(filter.endpoint) });
  if (filter.status) all.push({ status: oneOf(filter.status) });
  if (filter.quality_rating) all.push({ quality_rating: oneOf(filter.quality_rating) });
  if (filter.client_request_id) all.push({ client_request_id: oneOf(filter.client_request_id) });
  if (filter.error_code) all.push({ 'error.code': oneOf(filter.error_code) });
  if (filter.fallback_reason) all.push({ _fallbacks: oneOf(filter.fallback_reason) });
  if (filter.rejected_by) all.push({ _rejected_by: oneOf(filter.rejected_by) });
  if (filter.key) all.push({ caller: oneOf(filter.key.map((name) => `key:${name}`)) });
  if (filter.finding) all.push({ _findings: oneOf(filter.finding) });
  // A log with a second try has a reason for it, which has an index.
  if (filter.min_attempts !== undefined && filter.min_attempts > 1) {
    const last = `attempts.${filter.min_attempts - 1}`;
    all.push({ _fallbacks: { $in: [...FALLBACK_REASONS] }, [last]: { $exists: true } });
  }
  all.push(...measureConditions(filter));
  if (filter.has_feedback !== undefined) {
    all.push({ feedback_count: filter.has_feedback ? { $gt: 0 } : 0 });
  }
  if (filter.rated) all.push({ $or: JUDGED });
  if (filter.min_score !== undefined || filter.max_score !== undefined) {
    const range = { $gte: filter.min_score ?? -1, $lte: filter.max_score ?? 1 };
    all.push({ score: range, feedback_count: { $gt: 0 } });
  }
  if (filter.from) all.push({ created_at: { $gte: filter.from } });
  if (filter.to) all.push({ created_at: { $lt: filter.to } });
  return all;
}

/** Conditions that have no index of their own. They are checked in the index that is in order of time. */
export function measureConditions(filter: LogFilter): LogQuery[] {
  const { min_duration_ms, max_duration_ms, min_first_token_ms, min_cost, min_tokens } = filter;
  const all: LogQuery[] = [];
  if (filter.api) all.push({ api: oneOf(filter.api) });
  if (filter.stream !== undefined) all.push({ stream: filter.stream });
  if (min_duration_ms !== undefined) all.push({ 'timing.total_ms': { $gte: min_duration_ms } });
  if (max_duration_ms !== undefined) all.push({ 'timing.total_ms': { $lte: max_duration_ms } });
  if (min_first_token_ms !== undefined) {
    all.push({ 'timing.time_to_first_token_ms': { $gte: min_first_token_ms } });
  }
  if (min_cost !== undefined) all.push({ cost: { $gte: min_cost } });
  if (min_tokens !== undefined) all.push({ _tokens: { $gte: min_tokens } });
  return all;
}

/** The filter without the conditions that have no index of their own. */
export function withoutMeasures(filter: LogFilter): LogFilter {
  const { api, stream, min_duration_ms, max_duration_ms, min_first_token_ms, min_cost, min_tokens, ...rest } =
    filter;
  return rest;
}

function oneOf<Value>(values: readonly Value[]): Value | { $in: Value[] } {
  return values.length === 1 ? (values[0] as Value) : { $in: [...values] };
}

/** What comes after a position. `created_at` alone limits the index; the rest distinguishes logs of the same moment. */
export function behind(query: LogQuery, position: LogPosition, order: 'newest' | 'oldest'): LogQuery {
  const [side, inclusive] = order === 'newest' ? (['$lt', '$lte'] as const) : (['$gt', '$gte'] as const);
  return narrow(
    query,
    { created_at: { [inclusive]: position.created_at } },
    {
      $or: [
        { created_at: { [side]: position.created_at } },
        { created_at: position.created_at, _id: { [side]: position.id } },
      ],
    },
  );
}
