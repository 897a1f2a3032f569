import type { Filter } from 'mongodb';
import type { DialectId } from '../../../core/dialect-ids.js';
import type { LogStatus, QualityRating } from '../../../core/log-record.js';
import { FALLBACK_REASONS, type FallbackReason } from '../../../core/settings.js';
import type { LogDocument, LogPosition } from '../../mongodb/collections.js';
import { FORMER, metadataTerm, spellings, tagOf, valuesWritten } from './metadata-terms.js';
import { wordsOf } from './words.js';

/** A search for logs. All given conditions must be met; of several values of one condition, one. */
export interface LogFilter {
  tags_any?: string[];
  tags_all?: string[];
  tags_none?: string[];
  /** A top-level key and its possible values as text. */
  metadata?: { key: string; values: string[] }[];
  /** `provider/model` that answered, or that was tried last where none answered. */
  model?: string[];
  /** `provider/model`, or a provider alone, where a try failed, whether or not another model answered afterwards. */
  failed_model?: string[];
  endpoint?: string[];
  status?: LogStatus[];
  quality_rating?: QualityRating[];
  client_request_id?: string[];
  error_code?: string[];
  /** The reasons for a fallback. */
  fallback_reason?: FallbackReason[];
  /** The plugins that rejected the exchange. */
  rejected_by?: string[];
  /** The names of the keys that sent the request. */
  key?: string[];
  /** The types of findings. */
  finding?: string[];
  api?: DialectId[];
  stream?: boolean;
  min_duration_ms?: number;
  max_duration_ms?: number;
  min_first_token_ms?: number;
  min_cost?: number;
  /** The least tokens of input and output together. */
  min_tokens?: number;
  /** The least number of attempts. */
  min_attempts?: number;
  has_feedback?: boolean;
  /** Whether somebody judged it, by feedback or by a thumb. */
  rated?: true;
  min_score?: number;
  max_score?: number;
  /** The first moment of the period. */
  from?: Date;
  /** The end of the period, exclusive. */
  to?: Date;
  /** Words that must all be in the request or its answer. */
  q?: string;
}

export type LogQuery = Filter<LogDocument>;

/** Conditions on fields with many values. */
interface TermConditions {
  tags: LogQuery[];
  metadata: MetadataCondition[];
  words: LogQuery[];
}

/** The condition that a metadata key has one of some values. */
interface MetadataCondition {
  /** Queries of which one must match. Each is read from an index in order of time. */
  branches: LogQuery[];
  /** The same condition for logs that are found by another one. */
  check: LogQuery;
  /** Queries that are each counted in an index. Together they match at least as many logs as the condition. */
  counts: LogQuery[];
}

/** The conditions on fields with many values. */
function termConditions(filter: LogFilter): TermConditions {
  const { tags_any, tags_all = [], metadata = [], q } = filter;
  return {
    tags: [...(tags_any ? [oneOf(tags_any)] : []), ...tags_all].map((tags) => ({ tags })),
    metadata: metadata.map(metadataCondition),
    words: q === undefined ? [] : wordsOf(q).map((word) => ({ _words: word })),
  };
}

/**
 * The condition on a metadata key. It is met where a tag and the metadata have the value, where a former tag and the metadata
 * have it, or where a term of the log itself says so, whatever its tags are.
 */
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
    // The index entries of one value are in order of time, so each value has a branch.
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
 * A query for logs that match one of the branches and all other conditions. MongoDB uses an index for each branch only where
 * the `$or` stands alone.
 */
export function queryOfBranches(
  projectUid: string,
  branches: readonly LogQuery[],
  all: readonly LogQuery[],
): LogQuery {
  const queries = branches.map((branch) => together({ project_uid: projectUid }, [branch, ...all]));
  return queries.length === 1 ? queries[0]! : { $or: queries };
}

/**
 * Joins a query with conditions, in this order: of several conditions on one field, MongoDB looks up the first in the index.
 */
function together(query: LogQuery, conditions: readonly LogQuery[]): LogQuery {
  const given = conditions.filter((condition) => Object.keys(condition).length > 0);
  return given.length > 0 ? { ...query, $and: given } : query;
}

/** Queries for logs that were judged by feedback or by a thumb. */
const JUDGED: LogQuery[] = [{ feedback_count: { $gt: 0 } }, { quality_rating: { $in: ['👍', '👎'] } }];

/** A query with further conditions. */
export function narrow(query: LogQuery, ...conditions: LogQuery[]): LogQuery {
  const [branch, ...others] = branchesOf(query);
  if (others.length === 0) return { $and: [branch!, ...conditions] };
  return { $or: [branch!, ...others].map((one) => ({ $and: [one, ...conditions] })) };
}

/** A query for judged logs with further conditions. Each way of judging has an index. */
export function narrowToJudged(query: LogQuery, ...conditions: LogQuery[]): LogQuery {
  return { $or: JUDGED.flatMap((judged) => branchesOf(narrow(query, judged, ...conditions))) };
}

/** The alternatives of a query that has no other conditions. */
function branchesOf(query: LogQuery): LogQuery[] {
  return query.$or === undefined || Object.keys(query).length > 1 ? [query] : query.$or;
}

/** A condition for which one index has its logs in order of time. */
export interface IndexedCondition {
  index: string;
  /** One query, or several of which one must match. */
  conditions: LogQuery[];
  /** Further conditions of the same filter that the index cannot answer. They are checked on each log. */
  besides?: LogQuery[];
  /** The condition for logs that are found by another one, where it differs. */
  check?: LogQuery;
  /**
   * Where logs must be read to check the condition: the part that the index alone can answer. All logs that match are among
   * its results.
   */
  byKeys?: LogQuery[];
  /** Another index for the condition, not in order of time. It is for few logs, which are then sorted. */
  few?: string;
}

/** The conditions that have an index, with the more selective kinds first, and all other conditions except the time. */
export function partsOf(filter: LogFilter): { indexed: IndexedCondition[]; others: LogQuery[] } {
  const { tags, metadata, words } = termConditions(filter);
  const one = (index: string) => (condition: LogQuery) => ({ index, conditions: [condition] });
  const indexed: IndexedCondition[] = [
    ...words.map(one('by_word')),
    ...metadata.map(({ branches: conditions, check, counts: byKeys }) => ({
      index: 'by_metadata_term',
      conditions,
      check,
      byKeys,
    })),
    ...tags.map(one('by_tag')),
    ...fieldConditions(filter),
  ];
  return { indexed, others: otherConditions(filter) };
}

/** Conditions on fields with an index of their own. */
function fieldConditions(filter: LogFilter): IndexedCondition[] {
  const all: IndexedCondition[] = [];
  const add = (index: string, condition: LogQuery, besides?: LogQuery[]) =>
    all.push({ index, conditions: [condition], ...(besides && { besides }) });
  const { client_request_id, error_code, finding, rejected_by, fallback_reason, min_attempts = 0 } = filter;
  if (client_request_id) add('client_request_id', { client_request_id: oneOf(client_request_id) });
  if (error_code) add('error_code', { 'error.code': oneOf(error_code) });
  if (finding) add('findings', { _findings: oneOf(finding) });
  if (rejected_by) add('rejected_by', { _rejected_by: oneOf(rejected_by) });
  if (fallback_reason) add('fallback_reason', { _fallbacks: oneOf(fallback_reason) });
  // A log with a second try has a reason for it, which has an index.
  if (min_attempts > 1) {
    const last = { [`attempts.${min_attempts - 1}`]: { $exists: true } };
    add('fallback_reason', { _fallbacks: { $in: [...FALLBACK_REASONS] } }, [last]);
  }
  if (filter.failed_model) all.push(failureCondition(filter.failed_model));
  if (filter.quality_rating) add('quality_rating', { quality_rating: oneOf(filter.quality_rating) });
  const isRated = { feedback_count: { $gt: 0 } };
  const score = scoreCondition(filter);
  if (score !== undefined) {
    all.push({ index: 'rated', conditions: [{ ...score, ...isRated }], few: 'score' });
  } else if (filter.has_feedback) add('rated', isRated);
  if (filter.rated) all.push({ index: 'rated', conditions: JUDGED, check: { $or: JUDGED } });
  const { status = [] } = filter;
  // Success is not selective, because most logs ended well.
  const isTelling = !status.includes('success');
  if (filter.status && isTelling) add('by_status', { status: oneOf(status) });
  if (filter.key) add('by_caller', { caller: oneOf(filter.key.map((name) => `key:${name}`)) });
  if (filter.endpoint) add('by_endpoint', { endpoint: oneOf(filter.endpoint) });
  if (filter.model) all.push(modelCondition(filter.model));
  if (filter.status && !isTelling) add('by_status', { status: oneOf(status) });
  return all;
}

/** The model that answered, or the one that was tried last where none did. */
function modelCondition(models: string[]): IndexedCondition {
  const conditions = [{ model: oneOf(models) }, { _last_model: oneOf(models) }];
  return { index: 'by_model', conditions, check: { $or: conditions } };
}

/**
 * A failed try at one of these models. Such logs have a fallback, or were not answered by any model. Each kind has an index in
 * order of time, and the models of the tries are checked on the logs.
 */
function failureCondition(names: string[]): IndexedCondition {
  const places = names.map((name) => {
    const [provider, ...model] = name.split('/');
    return model.length === 0 ? { provider } : { provider, model: model.join('/') };
  });
  const failed: LogQuery = {
    attempts: { $elemMatch: { status: { $nin: ['success', 'aborted'] }, $or: places } },
  };
  const conditions: LogQuery[] = [
    { _fallbacks: { $in: [...FALLBACK_REASONS] } },
    { _last_model: oneOf(names.filter(isModelName)) },
  ];
  return { index: 'fallback_reason', conditions, besides: [failed], check: failed };
}

/** Whether a name is `provider/model`, and not a provider alone. */
export function isModelName(name: string): boolean {
  return name.includes('/');
}

function scoreCondition({ min_score, max_score }: LogFilter): LogQuery | undefined {
  if (min_score === undefined && max_score === undefined) return undefined;
  return { score: { $gte: min_score ?? -1, $lte: max_score ?? 1 } };
}

/** Conditions that no index has in order of time, except the time itself. */
function otherConditions(filter: LogFilter): LogQuery[] {
  const all = measureConditions(filter);
  if (filter.tags_none) all.push({ tags: { $nin: filter.tags_none } });
  if (filter.has_feedback === false) all.push({ feedback_count: 0 });
  return all;
}

export function timeConditions({ from, to }: LogFilter): LogQuery[] {
  return [...(from ? [{ created_at: { $gte: from } }] : []), ...(to ? [{ created_at: { $lt: to } }] : [])];
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

function oneOf<Value>(values: readonly Value[]): Value | { $in: Value[] } {
  return values.length === 1 ? (values[0] as Value) : { $in: [...values] };
}

/** The logs after a position. */
export function behind(query: LogQuery, position: LogPosition, order: 'newest' | 'oldest'): LogQuery {
  return narrow(query, ...olderOrNewer(position, order === 'newest' ? '$lt' : '$gt'));
}

/**
 * The logs that are older than a log, or newer, or also that log itself. `created_at` alone limits the index; the rest
 * distinguishes logs of the same moment.
 */
export function olderOrNewer(
  { created_at, id }: LogPosition,
  side: '$lt' | '$gt',
  idSide: '$lt' | '$gt' | '$gte' | '$lte' = side,
): LogQuery[] {
  return [
    { created_at: { [`${side}e`]: created_at } },
    { $or: [{ created_at: { [side]: created_at } }, { created_at, _id: { [idSide]: id } }] },
  ];
}
