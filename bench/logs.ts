import { fork } from 'node:child_process';
import { once } from 'node:events';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { type Db, MongoClient } from 'mongodb';
import { StatDeltas } from '../src/store/counts/stat-deltas.js';
import { collectionsOf } from '../src/store/mongodb/collections.js';
import type { Store } from '../src/store/store.js';
import { ADMIN_KEY, type AdminService, withAdminService } from './admin-service.js';
import { DIFFERENT_LOGS, generateLog, PROJECT, START } from './log-generator.js';
import { DAY_MS, JUDGED, type Query, queriesOf, STAT_DAYS } from './log-queries.js';
import { cpuMsOf, type Started } from './processes.js';

/*
 * How long the admin API takes to search ten million logs: each filter and sort order with `limit=50`, over HTTP, on a real
 * mongod with the cache size of `npm start` (`--cache`, in GB). Every call of a filter has other values, and the first call
 * of each is measured too. Beside the times it shows what mongod did for one page, from its profiler: the keys and documents
 * that it read, and the indexes. Where these are equal at one million and at ten million logs, so is the cost. Run it with
 * `npm run bench -- logs`. `--logs N` sets another number. `--data <folder>` keeps the logs for another run, because creating
 * them takes much longer than searching them. `--only <text>` runs only queries whose name contains the text. `--export` also
 * reads an export of all logs, and prints the memory of the process meanwhile. In one of ten logs the words are indexed. The
 * statistics are always those of a million logs over 90 days, because their route reads nothing else.
 */
const { values: options } = parseArgs({
  options: {
    logs: { type: 'string', default: '10000000' },
    cache: { type: 'string', default: '0.5' },
    export: { type: 'boolean', default: false },
    calls: { type: 'string', default: '100' },
    data: { type: 'string' },
    only: { type: 'string', default: '' },
  },
});
const LOGS = Number(options.logs);
const CALLS = Number(options.calls);
const TARGET_P95_MS = 100;
const STAT_LOGS = 1_000_000;
const WRITERS = 2;
/** The cache while logs are written and indexed. */
const FILLING_CACHE_GB = 3;
const PROFILED_CALLS = 5;
const TAGS_AT_ONCE = 10_000;

/**
 * Fills the collection. Resolves with true where logs were missing. Indexes are dropped first, and built again when
 * all logs are there.
 */
async function fill(database: Db, uri: string): Promise<boolean> {
  const have = await database.collection('logs').estimatedDocumentCount();
  if (have >= LOGS) return false;
  const started = performance.now();
  await database.dropDatabase();
  const share = Math.ceil(LOGS / WRITERS);
  const writers = Array.from({ length: WRITERS }, (_, index) => {
    const first = index * share;
    return fork('bench/fill-logs.ts', [uri, String(first), String(Math.min(share, LOGS - first))]);
  });
  const codes = await Promise.all(writers.map(async (writer) => (await once(writer, 'exit'))[0]));
  if (codes.some((code) => code !== 0)) throw new Error(`a process that fills ended with ${codes}`);
  console.error(`${LOGS} logs written in ${seconds(started)} s`);
  return true;
}

/** Writes the judgements of the named queues. */
async function judge(database: Db): Promise<void> {
  const settings = {
    dimensions: [{ name: 'helpful', scale: { min: 1, max: 5 } }],
    queues: Object.keys(JUDGED).map((name) => ({
      name,
      filter: {},
      dimensions: ['helpful'],
      judges: 1,
      people: [],
    })),
  };
  await database.collection<{ _id: string }>('judging').insertOne({
    _id: PROJECT,
    settings: JSON.stringify(settings),
    schema_version: 1,
    revision: 1,
    created_at: new Date(),
    updated_at: new Date(),
  } as { _id: string });
  for (const [name, count] of Object.entries(JUDGED)) {
    await database
      .collection('logs')
      .updateMany({ project_uid: PROJECT, created_at: { $gte: new Date(START + (LOGS - count) * 1000) } }, {
        $push: { _judged: `${name}/somebody` },
        $inc: { [`_judges.${name}`]: 1 },
      } as object);
  }
}

/** Building an index at once costs much less than updating it with each write. */
async function index(store: Store, client: MongoClient): Promise<void> {
  const building = performance.now();
  await store.ensureIndexes();
  console.error(`indexes are there after ${seconds(building)} s`);
  const rest = performance.now();
  await judge(client.db());
  await countTags(client.db());
  console.error(`tags and judged logs are there after ${seconds(rest)} s`);
}

/** Counts all tags now, which the store does step by step as logs arrive. The contents repeat after `DIFFERENT_LOGS`. */
async function countTags(database: Db): Promise<void> {
  const counts = new Map<string, number>();
  for (let index = 0; index < Math.min(LOGS, DIFFERENT_LOGS); index++) {
    const times = Math.ceil((LOGS - index) / DIFFERENT_LOGS);
    for (const tag of generateLog(index).tags) counts.set(tag, (counts.get(tag) ?? 0) + times);
  }
  const documents = [...counts].map(([tag, count]) => ({
    _id: { project_uid: PROJECT, tag } as never,
    project_uid: PROJECT,
    tag,
    count,
  }));
  for (let at = 0; at < documents.length; at += TAGS_AT_ONCE) {
    await database.collection('tag_counts').insertMany(documents.slice(at, at + TAGS_AT_ONCE));
  }
}

/** The counts of a million logs, spread over 90 days. */
async function countMonths(client: MongoClient): Promise<void> {
  const collections = collectionsOf(client, client.db(), () => true);
  // A folder from an earlier run has the counts already.
  if ((await collections.stats.estimatedDocumentCount()) > 0) return;
  const counting = performance.now();
  const deltas = new StatDeltas();
  const apply = () => client.withSession((session) => deltas.apply(collections, session));
  for (let index = 0; index < STAT_LOGS; index++) {
    const created_at = new Date(START + Math.floor((index * STAT_DAYS * DAY_MS) / STAT_LOGS));
    const log = { ...generateLog(index), created_at };
    deltas.addNew(log);
    if (index % 5_000 === 0) await apply();
  }
  await apply();
  console.error(`months are counted after ${seconds(counting)} s`);
}

const seconds = (since: number) => Math.round((performance.now() - since) / 1000);

interface Figures {
  query: string;
  p50_ms: number;
  p95_ms: number;
  max_ms: number;
  logs_per_call: number;
  /** The CPU time per call of mongod, and of the service in this process. */
  mongod_cpu_ms: number;
  service_cpu_ms: number;
  searched?: number;
}

async function ask(url: string, query: ReturnType<Query>): Promise<{ data?: unknown[]; searched?: number }> {
  const [path, post] = typeof query === 'string' ? [query, undefined] : [query.post, query.body];
  const answer = await fetch(`${url}/${PROJECT}${path}`, {
    method: post === undefined ? 'GET' : 'POST',
    headers: {
      'x-api-key': ADMIN_KEY,
      ...(post === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(post === undefined ? {} : { body: JSON.stringify(post) }),
  });
  // The queue has no log for the caller.
  if (answer.status === 204) return { data: [], searched: Number(answer.headers.get('x-sluice-searched')) };
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as { data?: unknown[] };
}

async function measure(url: string, mongod: Started, name: string, query: Query): Promise<Figures> {
  const [cpu, mongodCpu] = [process.cpuUsage(), cpuMsOf(mongod)];
  const latencies: number[] = [];
  let found = 0;
  let searched: number | undefined;
  for (let call = 0; call < CALLS; call++) {
    const start = performance.now();
    const answer = await ask(url, query(call));
    latencies.push(performance.now() - start);
    found += answer.data?.length ?? 1;
    searched = answer.searched ?? searched;
  }
  const { user, system } = process.cpuUsage(cpu);
  const perCall = (ms: number) => Number((ms / CALLS).toFixed(1));
  latencies.sort((a, b) => a - b);
  const at = (share: number) => Number(latencies[Math.ceil(CALLS * share) - 1]?.toFixed(1));
  const figures = {
    query: name,
    p50_ms: at(0.5),
    p95_ms: at(0.95),
    max_ms: at(1),
    logs_per_call: found / CALLS,
    mongod_cpu_ms: perCall(cpuMsOf(mongod) - mongodCpu),
    service_cpu_ms: perCall((user + system) / 1000),
  };
  return searched === undefined ? figures : { ...figures, searched };
}

interface Work {
  keys: number;
  documents: number;
  plans: string[];
}

/** The most that mongod read for one call, by its profiler, and with which plan. */
async function profile(database: Db, url: string, query: Query): Promise<Work> {
  const most: Work = { keys: 0, documents: 0, plans: [] };
  const plans = new Set<string>();
  for (let call = 0; call < PROFILED_CALLS; call++) {
    await database.command({ profile: 2 });
    await ask(url, query(call + CALLS));
    await database.command({ profile: 0 });
    const seen = await database
      .collection('system.profile')
      .find({ ns: { $not: /system\.profile/ } })
      .toArray();
    await database.dropCollection('system.profile');
    const sum = (field: string) => seen.reduce((total, one) => total + (one[field] ?? 0), 0);
    most.keys = Math.max(most.keys, sum('keysExamined'));
    most.documents = Math.max(most.documents, sum('docsExamined'));
    for (const { planSummary } of seen) plans.add(shortPlan(planSummary ?? ''));
  }
  most.plans = [...plans].filter((plan) => plan !== '');
  return most;
}

/**
 * The plan with short names of indexes. All indexes begin with the project and end with the time, so that is left
 * out.
 */
function shortPlan(summary: string): string {
  return summary.replaceAll(/(project_uid: 1, )|(, created_at: -?1, _id: -?1)/g, '');
}

/** Reads an export of all logs as fast as it comes, and measures the memory after each piece. */
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

async function run({ store, uri, url, mongod }: AdminService): Promise<boolean> {
  const client = new MongoClient(uri);
  const database = client.db();
  const cache = (gigabytes: number) =>
    client
      .db('admin')
      .command({ setParameter: 1, wiredTigerEngineRuntimeConfig: `cache_size=${gigabytes * 1024}M` });
  await cache(FILLING_CACHE_GB);
  if (await fill(database, uri)) await index(store, client);
  else await store.ensureIndexes();
  await database
    .collection<{ _id: string }>('judgements')
    .updateOne(
      { _id: 'somebody' },
      { $set: { project_uid: PROJECT, annotator: 'somebody' } },
      { upsert: true },
    );
  await countMonths(client);
  await cache(Number(options.cache));
  const results: (Figures & Work)[] = [];
  for (const [name, query] of Object.entries(queriesOf(LOGS))) {
    if (!name.includes(options.only)) continue;
    const result = { ...(await measure(url, mongod, name, query)), ...(await profile(database, url, query)) };
    results.push(result);
    console.error(JSON.stringify(result));
  }
  await client.close();
  const exported = options.export ? await measureExport(url) : undefined;
  console.log(JSON.stringify({ logs: LOGS, calls: CALLS, cpus: cpus().length, results, exported }, null, 2));
  const slow = results.filter(({ p95_ms }) => p95_ms > TARGET_P95_MS);
  for (const { query, p95_ms } of slow) console.error(`over ${TARGET_P95_MS} ms: ${query} (${p95_ms} ms)`);
  return slow.length === 0;
}

process.exitCode = (await withAdminService(options.data, run)) ? 0 : 1;
