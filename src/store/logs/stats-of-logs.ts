import { backgroundPace } from '../../core/pacing/background-work.js';
import { BUCKET_MS, type StatBucket, type StatDimension } from '../counts/stat-places.js';
import { StatSums } from '../counts/stat-rows.js';
import {
  countsOf,
  countsOfPlugin,
  countsOfReason,
  keyOf,
  modelOf,
  reasonsOf,
  STAT_FIELDS,
  type Values,
} from '../counts/stat-values.js';
import { MOST_ROWS, type StatQuery, type Stats } from '../counts/stats.js';
import type { Collections, LogDocument } from '../mongodb/collections.js';
import { findLead } from './search/find-lead.js';
import { withHint } from './search/lead.js';
import type { LogFilter } from './search/log-filter.js';
import { SORTS, stretchToCheck } from './search/stretches.js';

/*
 * Counts logs themselves, because not every pair of groupings has counts of its own: a tag with a model, or an error by the
 * minute. The answer says how many logs were counted.
 */

/** The most logs that are counted, which takes some tenths of a second. */
export const MOST_COUNTED_LOGS = 20_000;
/**
 * The number of logs in one batch. Otherwise MongoDB would send 16 MB at a time, which block the event loop for about 70 ms.
 */
const READ_AT_ONCE = 500;

const REACH = { byIndex: MOST_COUNTED_LOGS, byLog: MOST_COUNTED_LOGS };

export async function sumLogs(
  collections: Collections,
  projectUid: string,
  { from, to, bucket, by = [], where = {} }: StatQuery,
): Promise<Stats | undefined> {
  const { tag: tags_all, key, endpoint, model, status } = where;
  const filter = { from: begin(bucket, from), to, tags_all, key, endpoint, model, status } as LogFilter;
  const lead = await findLead(collections, projectUid, withoutAbsent(filter));
  const stretch = await stretchToCheck(collections, lead, { reach: REACH });
  const query = lead.queryWith(...stretch.where, ...lead.rest);
  return withHint(lead.hint, async (options) => {
    const cursor = collections.logs
      .find(query, { projection: { ...STAT_FIELDS, tags: 1, project_uid: 1 }, ...options })
      .sort(SORTS.newest)
      .limit(MOST_COUNTED_LOGS + 1)
      .batchSize(READ_AT_ONCE);
    const { sums, count } = await sum(cursor, { from, bucket, by });
    if (sums.size > MOST_ROWS) return undefined;
    const rows = await sums.rows();
    const isPart = count > MOST_COUNTED_LOGS || stretch.end !== undefined;
    return isPart ? { rows, searched: MOST_COUNTED_LOGS } : { rows };
  });
}

/** Adds up the logs. Stops where there are too many rows. */
async function sum(
  logs: AsyncIterable<LogDocument>,
  { from, bucket, by }: Required<Pick<StatQuery, 'from' | 'bucket' | 'by'>>,
): Promise<{ sums: StatSums; count: number }> {
  const sums = new StatSums(by);
  const pace = backgroundPace();
  let count = 0;
  for await (const log of logs) {
    if (++count > MOST_COUNTED_LOGS || sums.size > MOST_ROWS) break;
    const at = begin(bucket, bucket === 'total' ? from : log.created_at);
    for (const keys of combinations(by.map((name) => keysOf(name, log)))) {
      sums.addValues(at, keys, valuesOf(log, by, keys));
    }
    await pace.pause();
  }
  return { sums, count };
}

/** What a log adds to a row, as the stored counts of the same grouping have it. */
function valuesOf(log: LogDocument, by: readonly StatDimension[], keys: readonly (string | null)[]): Values {
  const plugin = keys[by.indexOf('plugin')];
  if (typeof plugin === 'string') return countsOfPlugin(log, plugin);
  const reason = keys[by.indexOf('fallback')];
  return typeof reason === 'string' ? countsOfReason(log, reason) : countsOf(log);
}

function begin(bucket: StatBucket | 'total', moment: Date): Date {
  const ms = BUCKET_MS[bucket === 'total' ? 'minute' : bucket];
  return new Date(Math.floor(moment.getTime() / ms) * ms);
}

function withoutAbsent<Value extends object>(value: Value): Value {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as Value;
}

/** The keys of a log in a dimension: one, several or none. */
function keysOf(name: StatDimension, log: LogDocument): (string | null)[] {
  switch (name) {
    case 'endpoint':
    case 'status':
      return [log[name]];
    case 'model':
      return [modelOf(log)];
    case 'key':
      return [keyOf(log)];
    case 'tag':
      return log.tags;
    case 'error':
      // A projection of a part of null leaves all of it out.
      return log.error?.code === undefined ? [] : [log.error.code];
    case 'fallback':
      return [...new Set(reasonsOf(log))];
    case 'plugin': {
      const ran = log.plugin_runs.filter(({ outcome }) => outcome !== 'skipped');
      return [...new Set(ran.map(({ plugin }) => plugin))];
    }
  }
}

/** All combinations of one key from each list. */
function combinations(lists: readonly (string | null)[][]): (string | null)[][] {
  return lists.reduce<(string | null)[][]>(
    (made, list) => made.flatMap((keys) => list.map((key) => [...keys, key])),
    [[]],
  );
}
