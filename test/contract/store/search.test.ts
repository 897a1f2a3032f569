import type { Document } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LogRecord } from '../../../src/core/log-record.js';
import { findLead } from '../../../src/store/logs/search/find-lead.js';
import type { LogFilter, LogQuery } from '../../../src/store/logs/search/log-filter.js';
import { behindPosition } from '../../../src/store/logs/search/stretches.js';
import { collectionsOf, type LogPosition } from '../../../src/store/mongodb/collections.js';
import { connectStore, type Store } from '../../../src/store/store.js';
import { logRecord } from '../../support/log-record.js';
import { missingMongod, openTestDatabase, type TestDatabase } from '../../support/mongod.js';
import { silentLogger } from '../../support/silent-logger.js';

const PROJECT = '00000000-0000-4000-8000-000000000001';
/** Of 1,200 logs, two of them with a word of their own: the first and the last. */
const NOT_INDEXED = '00000000-0000-4000-8000-000000000003';
const START = Date.UTC(2026, 0, 1);
const NEWEST_FIRST = { created_at: -1, _id: -1 } as const;

/** What the server would do: the stages of its plan, and the index that each reads. */
interface Plan {
  stages: string[];
  indexes: string[];
}

function readPlan(stage: Document): Plan {
  const inner = [stage.inputStage, ...(stage.inputStages ?? [])].filter(Boolean).map(readPlan);
  return {
    stages: [stage.stage, ...inner.flatMap((plan) => plan.stages)],
    indexes: [...(stage.indexName ? [stage.indexName] : []), ...inner.flatMap((plan) => plan.indexes)],
  };
}

function twoAttempts(): LogRecord['attempts'] {
  const [attempt] = logRecord().attempts;
  return [{ ...attempt!, status: 'timeout' }, attempt!];
}

describe.skipIf(missingMongod !== null)('the search of logs', () => {
  let test: TestDatabase;
  let store: Store;

  beforeAll(async () => {
    test = await openTestDatabase();
    store = connectStore({
      uri: test.uri,
      logger: silentLogger,
      searchesWords: (uid) => uid !== NOT_INDEXED,
    });
    await store.ensureIndexes();
    const records = Array.from({ length: 3000 }, (_, index) =>
      logRecord({
        created_at: new Date(START + index * 1000),
        project_uid: index % 3 === 0 ? '00000000-0000-4000-8000-000000000002' : PROJECT,
        tags: [`tag:${index % 20}`, 'all', `n:${index % 20}`, 'every:true'],
        metadata: { n: index % 20, every: true, none: index % 20 === 3 ? null : 'x' },
        model: `local/${index % 20}`,
        endpoint: `e${index % 20}`,
        status: index % 20 === 0 ? 'error' : 'success',
        client_request_id: `r-${index}`,
        quality_rating: index % 20 === 0 || index % 20 === 4 ? '👍' : null,
        request: { messages: [{ role: 'user', content: `word${index % 20} every` }] },
        ...(index % 20 === 5 ? { attempts: twoAttempts() } : {}),
        _search: 'words',
      }),
    );
    await store.logs.insertMany(records);
    // Every tenth log is rated, from -1 to 1.
    await test.database.collection('logs').updateMany({ 'metadata.n': { $in: [1, 2] } }, [
      {
        $set: {
          feedback_count: 1,
          score: { $subtract: [{ $divide: [{ $mod: [{ $toLong: '$created_at' }, 200_000] }, 100_000] }, 1] },
        },
      },
    ]);
  });

  afterAll(async () => {
    await store.close();
    await test.drop();
  });

  it('rebuilds an index that an earlier version defined differently', async () => {
    const logs = test.database.collection('logs');
    await logs.dropIndex('score');
    await logs.createIndex({ project_uid: 1, score: 1 }, { name: 'score' });
    await store.ensureIndexes();
    const score = (await logs.indexes()).find(({ name }) => name === 'score');
    expect(Object.keys(score?.key ?? {})).toEqual([
      'project_uid',
      'score',
      'created_at',
      '_id',
      'feedback_count',
    ]);
  });

  it('answers while its indexes are still being built', async () => {
    const fresh = await openTestDatabase();
    const early = connectStore({ uri: fresh.uri, logger: silentLogger, searchesWords: () => true });
    const record = logRecord({ project_uid: PROJECT, tags: ['a'], caller: 'key:bot' });
    await early.logs.insertMany([record]);
    const few = { limit: 5 };
    for (const filter of [
      {},
      { key: ['bot'] },
      { key: ['bot'], tags_any: ['a'], min_tokens: 0 },
      { max_score: 1 },
    ] satisfies LogFilter[]) {
      const isFound = !('max_score' in filter);
      const { logs } = await early.logs.list(PROJECT, filter, few);
      expect(logs).toHaveLength(isFound ? 1 : 0);
      expect(await early.logs.listBy(PROJECT, filter, 'cost', few)).toMatchObject({ logs });
      expect((await early.logs.count(PROJECT, filter, 5)).count).toBe(isFound ? 1 : 0);
    }
    await early.close();
    await fresh.drop();
  });

  it('moves on from the indexes of an earlier version, and works before, meanwhile and after', async () => {
    const older = await openTestDatabase();
    const logs = older.database.collection('logs');
    const time = { created_at: -1, _id: -1 } as const;
    await logs.createIndexes([
      { name: 'measures', key: { project_uid: 1, ...time, cost: 1 } },
      { name: 'tags', key: { project_uid: 1, tags: 1, ...time } },
      { name: 'metadata', key: { project_uid: 1, _metadata_terms: 1, ...time } },
    ]);
    const newer = connectStore({ uri: older.uri, logger: silentLogger });
    const records = Array.from({ length: 30 }, (_none, index) =>
      logRecord({ project_uid: PROJECT, created_at: new Date(START + index), tags: [`third:${index % 3}`] }),
    );
    await newer.logs.insertMany(records);
    const finds = async () => {
      const { logs: all } = await newer.logs.list(PROJECT, {}, { limit: 40 });
      expect(all.map(({ _id }) => _id)).toEqual(records.map(({ _id }) => _id).reverse());
      const { logs: some } = await newer.logs.list(PROJECT, { tags_any: ['third:1'] }, { limit: 40 });
      expect(some).toHaveLength(10);
    };
    await finds();
    const moving = Promise.all([newer.ensureIndexes(), newer.ensureIndexes()]);
    await finds();
    await moving;
    await finds();
    const names = (await logs.indexes()).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['by_time', 'by_tag', 'by_metadata_term']));
    for (const former of ['measures', 'tags', 'metadata']) expect(names).not.toContain(former);
    await newer.close();
    await older.drop();
  });

  it('looks through 1,000 logs at a time for words without an index, and says so', async () => {
    const word = (index: number) => (index === 0 || index === 1199 ? 'edge' : 'middle');
    const records = Array.from({ length: 1200 }, (_, index) =>
      logRecord({
        created_at: new Date(START + index * 1000),
        project_uid: NOT_INDEXED,
        endpoint: `e${index % 2}`,
        request: { messages: [{ role: 'user', content: `Words at the ${word(index)}` }] },
      }),
    );
    await store.logs.insertMany(records);
    const found = async (filter: LogFilter) => {
      const { logs, searched } = await store.logs.list(NOT_INDEXED, filter, { limit: 200 });
      return { ids: logs.map(({ _id }) => _id), searched };
    };
    expect(await found({ q: 'EDGE words' })).toEqual({ ids: [records[1199]!._id], searched: 1000 });
    // Other filters narrow down first what is looked through.
    expect((await found({ q: 'edge', endpoint: ['e0'] })).ids).toEqual([records[0]!._id]);
    expect(await found({ q: 'elsewhere' })).toEqual({ ids: [], searched: 1000 });
    expect(await found({ endpoint: ['e3'] })).toEqual({ ids: [], searched: undefined });
    // Counts look as far, and say so too.
    const counted = (filter: LogFilter) => store.logs.count(NOT_INDEXED, filter, 100_000);
    expect(await counted({ q: 'words' })).toEqual({ count: 1000, more: true });
    expect(await counted({ q: 'words', endpoint: ['e0'] })).toEqual({ count: 600, more: false });
    // Page by page, also where one page does not hold all that was found.
    for (const [q, limit, pages] of [
      ['edge', 5, [[1199], [0]]],
      ['words', 700, [range(1199, 500), range(499, 0)]],
      ['elsewhere', 5, [[], []]],
    ] as const) {
      const shown: string[][] = [];
      let after: LogPosition | undefined;
      do {
        const page = await store.logs.list(NOT_INDEXED, { q }, { limit, after });
        shown.push(page.logs.map(({ _id }) => _id));
        after = page.next ?? undefined;
      } while (after !== undefined);
      expect(shown).toEqual(pages.map((page) => page.map((index) => records[index]!._id)));
    }
    const { searched } = await store.logs.list(PROJECT, { q: 'word3' }, { limit: 1 });
    expect(searched).toBeUndefined();
  });

  /** From the first number down to the last. */
  const range = (first: number, last: number) =>
    Array.from({ length: first - last + 1 }, (_none, index) => first - index);

  const explain = async (filter: LogFilter, ...place: LogQuery[]): Promise<Plan> => {
    const collections = collectionsOf(test.database.client, test.database, () => true);
    const { queryWith, rest, hint } = await findLead(collections, PROJECT, filter);
    const { queryPlanner } = await collections.logs
      .find(queryWith(...place, ...rest), hint === undefined ? {} : { hint })
      .sort(NEWEST_FIRST)
      .limit(51)
      .explain('queryPlanner');
    return readPlan(queryPlanner.winningPlan.queryPlan ?? queryPlanner.winningPlan);
  };

  const sortedByIndex: [string, LogFilter][] = [
    ['by_time', {}],
    ['by_time', { from: new Date(START), to: new Date(START + 3_600_000) }],
    ['by_time', { tags_none: ['tag:3'] }],
    ['by_time', { has_feedback: false }],
    ['by_tag', { tags_any: ['tag:3'] }],
    ['by_tag', { tags_any: ['tag:3', 'tag:4', 'tag:5'] }],
    ['by_tag', { tags_all: ['tag:3'] }],
    ['by_metadata_term by_tag', { metadata: [{ key: 'n', values: ['3'] }] }],
    ['by_metadata_term by_tag', { metadata: [{ key: 'n', values: ['3', '4'] }] }],
    ['by_metadata_term by_tag', { metadata: [{ key: 'none', values: ['null'] }] }],
    ['by_metadata_term', { metadata: [{ key: 'a.b', values: ['3'] }] }],
    ['by_model by_last_model', { model: ['local/3'] }],
    ['by_model by_last_model', { model: ['local/3', 'local/4'] }],
    ['fallback_reason by_last_model', { failed_model: ['local/3'] }],
    ['fallback_reason by_last_model', { failed_model: ['local', 'other/4'] }],
    ['by_endpoint', { endpoint: ['e3'] }],
    ['by_status', { status: ['error'] }],
    ['by_status', { status: ['error', 'aborted'] }],
    ['quality_rating', { quality_rating: ['👍'] }],
    ['quality_rating', { quality_rating: ['👍', '👎'] }],
    ['client_request_id', { client_request_id: ['r-7'] }],
    ['error_code', { error_code: ['timeout'] }],
    ['fallback_reason', { fallback_reason: ['timeout', 'connect'] }],
    ['rejected_by', { rejected_by: ['webhook'] }],
    ['by_caller', { key: ['bot'] }],
    ['findings', { finding: ['PERSON'] }],
    ['fallback_reason', { min_attempts: 2 }],
    ['rated', { has_feedback: true }],
    ['by_word', { q: 'word3' }],
  ];

  it.each(sortedByIndex)('reads %s in the order of its index: %j', async (index, filter) => {
    const behind = behindPosition({ created_at: new Date(START + 1_800_000), id: 'x' }, 'newest');
    for (const place of [[], behind]) {
      const plan = await explain(filter, ...place);
      expect(new Set(plan.indexes)).toEqual(new Set(index.split(' ')));
      expect(plan.stages).not.toContain('COLLSCAN');
      expect(plan.stages).not.toContain('SORT');
    }
  });

  it.each([
    { tags_all: ['tag:3', 'all'] },
    { tags_any: ['tag:3'], tags_none: ['tag:4'], from: new Date(START) },
    {
      metadata: [
        { key: 'n', values: ['3', '4'] },
        { key: 'every', values: ['true'] },
      ],
    },
    { q: 'every word3', endpoint: ['e3'], status: ['success'], has_feedback: false },
    { tags_any: ['tag:1', 'tag:2'], has_feedback: true },
  ] satisfies LogFilter[])('reads several filters together from an index, in order: %j', async (filter) => {
    const plan = await explain(filter);
    expect(plan.stages).not.toContain('COLLSCAN');
    expect(plan.stages).not.toContain('SORT');
  });

  it('looks up the rarest of several tags, keys or words, wherever it is listed', async () => {
    await test.database.command({ profile: 2 });
    const few = { limit: 50 };
    await store.logs.list(PROJECT, { tags_all: ['all', 'tag:3'] }, few);
    await store.logs.list(PROJECT, { tags_all: ['tag:3', 'all'] }, few);
    const metadata = [
      { key: 'every', values: ['true'] },
      { key: 'n', values: ['3'] },
    ];
    await store.logs.list(PROJECT, { metadata }, few);
    await store.logs.list(PROJECT, { q: 'every word3' }, few);
    await test.database.command({ profile: 0 });
    const profile = test.database.collection('system.profile');
    const searches = await profile.find({ 'command.find': 'logs' }).toArray();
    expect(searches).toHaveLength(4);
    for (const { docsExamined, nreturned } of searches)
      expect(docsExamined).toBeLessThanOrEqual(2 * nreturned);
    const counts = await profile.find({ 'command.count': 'logs' }).toArray();
    // Two for each tag and word, and for a key of metadata one for each of the ways in which it may be stored.
    expect(counts.length).toBe(2 + 2 + 2 * 3 + 2);
    for (const { planSummary, docsExamined } of counts) {
      expect(planSummary).toMatch(/^COUNT_SCAN/);
      expect(docsExamined).toBe(0);
    }
  });

  it.each([
    ['feedback', 1],
    ['a thumb', 0],
  ])('compares the answers to a prompt that have %s, and reads no other logs', async (_how, n) => {
    const logs = test.database.collection('logs');
    const prompt = (await logs.findOne({ 'metadata.n': n, project_uid: PROJECT }))?._prompt;
    const answers = await logs.countDocuments({ _prompt: prompt, project_uid: PROJECT });
    await test.database.command({ profile: 0 });
    const profile = test.database.collection('system.profile');
    await profile.drop();
    await test.database.command({ profile: 2 });
    const rivals = await store.walk.rivals(PROJECT, {}, prompt);
    await test.database.command({ profile: 0 });
    // All of one thumb are equally good.
    expect(rivals === undefined).toBe(n === 0);
    const [search] = await profile.find({ 'command.aggregate': 'logs' }).toArray();
    expect(search?.planSummary).toContain('_prompt: 1');
    expect(search?.planSummary).not.toContain('created_at');
    expect(search?.docsExamined).toBeLessThanOrEqual(2 * answers);
    expect(search?.keysExamined).toBeLessThanOrEqual(2 * answers);
  });

  it.each([
    ['score', { min_score: 0.99 }],
    ['score', { min_score: -0.5, max_score: -0.49, has_feedback: true }],
    ['score', { max_score: 1, from: new Date(START) }],
  ] as [string, LogFilter][])(
    'reads few scores with the index %s and sorts them: %j',
    async (index, filter) => {
      await test.database.command({ profile: 0 });
      await test.database.collection('system.profile').drop();
      await test.database.command({ profile: 2 });
      await store.logs.list(PROJECT, filter, { limit: 50 });
      await test.database.command({ profile: 0 });
      const [search] = await test.database
        .collection('system.profile')
        .find({ 'command.find': 'logs' })
        .toArray();
      expect(search?.command.hint).toBe(index);
      // Only the logs of the page are read.
      expect(search?.docsExamined).toBeLessThanOrEqual(51);
    },
  );
});
