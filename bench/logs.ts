import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { MongoClient } from 'mongodb';
import { StatDeltas } from '../src/store/counts/stat-deltas.js';
import { collectionsOf } from '../src/store/mongodb/collections.js';
import type { Store } from '../src/store/store.js';
import { ADMIN_KEY, type AdminService, withAdminService } from './admin-service.js';
import { generateLog, PROJECT, START } from './log-generator.js';

/*
 * How long the admin API takes to search a million logs: each filter with `limit=50`, over HTTP, on a real mongod.
 * Every call of a filter has other values, and the first call of each is measured too. Then all of them are
 * exported, in a process of which the memory is watched. Run it with
 * `node --import ./test/support/typescript-loader.mjs bench/logs.ts`; `--data <folder>` keeps the logs for another
 * run, since making them takes much longer than searching them. `--only <text>` asks only what has the text in its name.
 * The counts of what happened are always those of a million logs over 90 days, and the route reads nothing else.
 */
const { values: options } = parseArgs({
  options: {
    logs: { type: 'string', default: '1000000' },
    calls: { type: 'string', default: '100' },
    data: { type: 'string' },
    only: { type: 'string', default: '' },
  },
});
const LOGS = Number(options.logs);
const CALLS = Number(options.calls);
const TARGET_P95_MS = 50;
const TARGET_STATS_P95_MS = 100;
const STAT_LOGS = 1_000_000;
const STAT_DAYS = 90;
const DAY_MS = 86_400_000;
const BATCH = 1000;
const WRITERS = 4;

const time = (index: number) => new Date(START + index * 1000).toISOString();
const part = (call: number, of: number) => call % of;

/** A path for the n-th call of each filter. */
const FILTERS: Record<string, (call: number) => string> = {
  'no filter': () => '/logs?limit=50',
  'tags_any, common': (call) => `/logs?limit=50&tags_any=turn:${part(call, 10)}`,
  'tags_any, rare': (call) => `/logs?limit=50&tags_any=user_id:u${call * 7}`,
  'tags_any, three': (call) =>
    `/logs?limit=50&tags_any=user_id:u${call}&tags_any=turn:${part(call, 10)}&tags_any=beta:true`,
  'tags_all, common and rare': (call) => `/logs?limit=50&tags_all=language:en&tags_all=user_id:u${call * 3}`,
  'tags_all, two common': (call) => `/logs?limit=50&tags_all=language:de&tags_all=turn:${part(call, 10)}`,
  tags_none: (call) => `/logs?limit=50&tags_none=turn:${part(call, 10)}&tags_none=language:en`,
  'metadata, common': (call) => `/logs?limit=50&metadata.turn=${part(call, 10)}`,
  'metadata, rare': (call) => `/logs?limit=50&metadata.user_id=u${call * 11}`,
  'metadata, two keys': (call) =>
    `/logs?limit=50&metadata.subscription_tier=enterprise&metadata.turn=${part(call, 10)}`,
  'metadata, boolean': () => '/logs?limit=50&metadata.beta=true',
  model: (call) => `/logs?limit=50&model=local/model-${part(call, 10)}`,
  endpoint: (call) => `/logs?limit=50&endpoint=endpoint-${part(call, 20)}`,
  'status, rare': () => '/logs?limit=50&status=aborted',
  'status, two': () => '/logs?limit=50&status=error&status=rejected',
  quality_rating: () => `/logs?limit=50&quality_rating=${encodeURIComponent('👎')}`,
  'has_feedback=true': () => '/logs?limit=50&has_feedback=true',
  'has_feedback=false': () => '/logs?limit=50&has_feedback=false',
  'min_score, few': (call) => `/logs?limit=50&min_score=${1 - part(call, 3) / 1000}`,
  'min_score, many': (call) => `/logs?limit=50&min_score=${part(call, 5) / 10 - 0.5}`,
  'score between': (call) =>
    `/logs?limit=50&min_score=${part(call, 9) / 10}&max_score=${part(call, 9) / 10 + 0.05}`,
  client_request_id: (call) => `/logs?limit=50&client_request_id=request-${call * 31}`,
  'from and to': (call) =>
    `/logs?limit=50&from=${time((call * LOGS) / 200)}&to=${time((call * LOGS) / 200 + 3600)}`,
  'q, common': (call) => `/logs?limit=50&q=w${part(call, 9) + 1}`,
  'q, rare': (call) => `/logs?limit=50&q=w${19_000 + call}`,
  'q, common and rare': (call) => `/logs?limit=50&q=w2%20w${15_000 + call}`,
  'q, two common': (call) => `/logs?limit=50&q=w${part(call, 9) + 1}%20w${part(call, 7) + 10}`,
  'tag, status and time': (call) =>
    `/logs?limit=50&tags_any=language:fr&status=success&from=${time(call * 100)}&to=${time(LOGS / 2)}`,
  'tag and feedback': (call) => `/logs?limit=50&tags_any=turn:${part(call, 10)}&has_feedback=true`,
  'a page in the middle': (call) =>
    `/logs?limit=50&tags_any=turn:${part(call, 10)}&cursor=${cursorAt((call * LOGS) / 150)}`,
  'list of tags': () => '/tags?limit=50',
  'list of tags, common prefix': () => '/tags?limit=50&prefix=user_id:',
  'stats, 90 days by day': () => statsPath('day', 90),
  'stats, 90 days by day and endpoint': () => statsPath('day', 90, 'endpoint'),
  'stats, 90 days by day and model': () => statsPath('day', 90, 'model'),
  'stats, 90 days by day and tag': () => statsPath('day', 90, 'tag'),
  'stats, 90 days by hour': () => statsPath('hour', 90),
  'stats, 20 days by hour and status': () => statsPath('hour', 20, 'status'),
  'stats, 5 days by hour and endpoint': () => statsPath('hour', 5, 'endpoint'),
  'stats, 90 days in all by endpoint': () => statsPath('total', 90, 'endpoint'),
  'stats, 90 days in all by tag': () => statsPath('total', 90, 'tag'),
  'list of tags, rare prefix': (call) => `/tags?limit=50&prefix=user_id:u${call + 10}`,
};

function statsPath(bucket: string, days: number, by?: string): string {
  const to = new Date(START + STAT_DAYS * DAY_MS);
  const from = new Date(to.getTime() - days * DAY_MS);
  return `/stats?bucket=${bucket}&from=${from.toISOString()}&to=${to.toISOString()}${by ? `&by=${by}` : ''}`;
}

function cursorAt(index: number): string {
  const at = START + Math.floor(index) * 1000;
  return Buffer.from(JSON.stringify([at, ''])).toString('base64url');
}

async function fill(store: Store, have: number): Promise<void> {
  let next = have;
  const started = performance.now();
  const write = async () => {
    while (next < LOGS) {
      const first = next;
      next += BATCH;
      const records = Array.from({ length: Math.min(BATCH, LOGS - first) }, (_, offset) =>
        generateLog(first + offset),
      );
      const { refused } = await store.logs.insertMany(records);
      if (refused.length > 0) throw new Error(`refused: ${refused[0]?.reason}`);
      if (first % 50_000 === 0) console.error(`${first} logs after ${seconds(started)} s`);
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, write));
  if (have < LOGS) console.error(`${LOGS - have} logs written in ${seconds(started)} s`);
}

/** Indexes that are built at once cost much less than those that each write keeps up to date. */
async function index(store: Store, uri: string): Promise<void> {
  const building = performance.now();
  await store.ensureIndexes();
  console.error(`indexes are there after ${seconds(building)} s`);
  const counting = performance.now();
  await countTags(uri);
  await countMonths(uri);
  console.error(`tags are counted after ${seconds(counting)} s`);
}

/** What the store does bit by bit while logs come in, at once. */
async function countTags(uri: string): Promise<void> {
  const client = new MongoClient(uri);
  const logs = client.db().collection('logs');
  await logs
    .aggregate([
      { $match: { project_uid: PROJECT } },
      { $unwind: '$tags' },
      { $group: { _id: { project_uid: '$project_uid', tag: '$tags' }, count: { $sum: 1 } } },
      { $set: { project_uid: '$_id.project_uid', tag: '$_id.tag' } },
      { $merge: 'tag_counts' },
    ])
    .toArray();
  await logs.updateMany(
    { _counted_tags: { $exists: true } },
    { $unset: { _counted_tags: 1, _counted_stats: 1 } },
  );
  await client.close();
}

/** The counts of a million logs, spread over 90 days. */
async function countMonths(uri: string): Promise<void> {
  const client = new MongoClient(uri);
  const collections = collectionsOf(client, client.db(), () => true);
  // A kept folder has them.
  if ((await collections.stats.estimatedDocumentCount()) > 0) return client.close();
  const deltas = new StatDeltas();
  const apply = () => client.withSession((session) => deltas.apply(collections, session));
  for (let index = 0; index < STAT_LOGS; index++) {
    const created_at = new Date(START + Math.floor((index * STAT_DAYS * DAY_MS) / STAT_LOGS));
    const log = { ...generateLog(index), created_at };
    deltas.addNew(log);
    if (index % 50_000 === 0) await apply();
  }
  await apply();
  await client.close();
}

const seconds = (since: number) => Math.round((performance.now() - since) / 1000);

async function measure(url: string, name: string, pathOf: (call: number) => string): Promise<object> {
  const latencies: number[] = [];
  let found = 0;
  for (let call = 0; call < CALLS; call++) {
    const start = performance.now();
    const answer = await fetch(`${url}/${PROJECT}${pathOf(call)}`, { headers: { 'x-api-key': ADMIN_KEY } });
    const { data } = (await answer.json()) as { data: unknown[] };
    latencies.push(performance.now() - start);
    if (answer.status !== 200) throw new Error(`${name}: ${answer.status}`);
    found += data.length;
  }
  latencies.sort((a, b) => a - b);
  const at = (share: number) => Number(latencies[Math.ceil(CALLS * share) - 1]?.toFixed(1));
  return { filter: name, p50_ms: at(0.5), p95_ms: at(0.95), max_ms: at(1), logs_per_call: found / CALLS };
}

/** Reads an export of every log to its end, as fast as it comes, and looks at the memory after each piece. */
async function measureExport(url: string): Promise<object> {
  const started = performance.now();
  const before = process.memoryUsage.rss();
  const answer = await fetch(`${url}/${PROJECT}/exports/sft.jsonl?include_unrated=true`, {
    headers: { 'x-api-key': ADMIN_KEY },
  });
  if (answer.status !== 200 || answer.body === null) throw new Error(`export: ${answer.status}`);
  let lines = 0;
  let bytes = 0;
  let highest = before;
  let nextReport = 100_000;
  for await (const piece of answer.body) {
    bytes += piece.length;
    for (let at = piece.indexOf(NEWLINE); at !== -1; at = piece.indexOf(NEWLINE, at + 1)) lines++;
    highest = Math.max(highest, process.memoryUsage.rss());
    if (lines >= nextReport) {
      nextReport += 100_000;
      console.error(
        `${lines} lines after ${seconds(started)} s, ${mebibytes(process.memoryUsage.rss())} MiB`,
      );
    }
  }
  return {
    lines,
    mebibytes: mebibytes(bytes),
    seconds: seconds(started),
    memory_mib: { before: mebibytes(before), highest: mebibytes(highest) },
  };
}

const NEWLINE = 10;
const mebibytes = (bytes: number) => Math.round(bytes / 2 ** 20);

async function run({ store, uri, url }: AdminService): Promise<boolean> {
  await fill(store, await newestIndex(store));
  await index(store, uri);
  const results = [];
  for (const [name, pathOf] of Object.entries(FILTERS)) {
    if (!name.includes(options.only)) continue;
    const result = (await measure(url, name, pathOf)) as { filter: string; p95_ms: number };
    results.push(result);
    console.error(JSON.stringify(result));
  }
  const exported = options.only === '' ? await measureExport(url) : undefined;
  console.log(JSON.stringify({ logs: LOGS, calls: CALLS, cpus: cpus().length, results, exported }, null, 2));
  const slow = results.filter(({ filter, p95_ms }) => p95_ms >= targetOf(filter));
  for (const { filter, p95_ms } of slow)
    console.error(`over ${targetOf(filter)} ms: ${filter} (${p95_ms} ms)`);
  return slow.length === 0;
}

const targetOf = (filter: string) => (filter.startsWith('stats') ? TARGET_STATS_P95_MS : TARGET_P95_MS);

/** How many logs are there already: they were written in order. */
async function newestIndex(store: Store): Promise<number> {
  const { logs } = await store.logs.list(PROJECT, {}, { limit: 1 });
  const newest = logs[0]?.created_at.getTime();
  // The writers go on side by side: the last batches may have holes, which a repeat fills.
  return newest === undefined ? 0 : Math.max(0, (newest - START) / 1000 + 1 - 2 * WRITERS * BATCH);
}

process.exitCode = (await withAdminService(options.data, run)) ? 0 : 1;
