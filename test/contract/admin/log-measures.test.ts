import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LogRecord } from '../../../src/core/log-record.js';
import { connectStore, type Store } from '../../../src/store/store.js';
import { type AdminApi, openAdminApi, PROJECT } from '../../support/admin-api.js';
import { logRecord } from '../../support/log-record.js';
import { missingMongod } from '../../support/mongod.js';
import { silentLogger } from '../../support/silent-logger.js';

const START = Date.UTC(2026, 2, 1);
const attempt = logRecord().attempts[0]!;
const failed = { ...attempt, status: 'timeout' as const };

/** Five logs, the oldest first; each is extreme in something. */
const LOGS: Record<string, Partial<LogRecord>> = {
  slow: { timing: { total_ms: 9_000, time_to_first_token_ms: 400, engine_ms: 1 }, stream: true },
  late: { timing: { total_ms: 5_000, time_to_first_token_ms: 4_000, engine_ms: 1 }, stream: true },
  dear: { cost: 2.5, caller: 'key:bot', model: 'other/huge', key_id: 'k1' },
  large: { usage: { input_tokens: 900, output_tokens: 100 }, api: 'anthropic.messages', caller: 'key:bot' },
  found: {
    attempts: [failed, attempt],
    metadata: { session_id: 's1', thread: 't1' },
    tags: ['session_id:s1', 'thread:t1'],
    plugin_runs: [
      {
        plugin: 'pii_detection',
        phase: 'request',
        outcome: 'passed',
        duration_ms: 1,
        findings: [{ type: 'PERSON', place: '/0/parts/0/text', start: 0, end: 3, score: 1 }],
      },
    ],
  },
};

describe.skipIf(missingMongod !== null)('the list of logs', () => {
  let api: AdminApi;
  const names = new Map<string, string>();

  beforeAll(async () => {
    api = await openAdminApi();
    const records = Object.entries(LOGS).map(([name, changes], index) => {
      const record = logRecord({ cost: 0.001, ...changes, created_at: new Date(START + index * 1000) });
      names.set(record._id, name);
      return record;
    });
    await api.store.logs.insertMany(records);
  });
  afterAll(() => api.close());

  const ask = (query: string) => api.call('GET', `/${PROJECT}/logs?${query}`);
  const found = async (query: string) => {
    const { status, json } = await ask(query);
    expect(status).toBe(200);
    return json.data.map(({ id }: { id: string }) => names.get(id));
  };

  it.each([
    ['min_duration_ms=5000', ['late', 'slow']],
    ['min_duration_ms=5000&max_duration_ms=6000', ['late']],
    ['min_first_token_ms=400', ['late', 'slow']],
    ['min_cost=1', ['dear']],
    ['min_tokens=1000', ['large']],
    ['min_attempts=2', ['found']],
    ['key=bot', ['large', 'dear']],
    ['finding=PERSON', ['found']],
    ['stream=true', ['late', 'slow']],
    ['api=anthropic.messages', ['large']],
    ['session=s1', ['found']],
    ['session=t1&session_key=thread', ['found']],
    ['model=other', ['dear']],
    ['model=other&key=bot&min_cost=1', ['dear']],
    ['model=oth', []],
    ['min_cost=100', []],
  ])('can be filtered by %s', async (query, expected) => {
    expect(await found(query)).toEqual(expected);
  });

  it.each([
    ['duration', ['slow', 'late']],
    ['first_token', ['late', 'slow']],
    ['cost', ['dear']],
    ['tokens', ['large']],
  ])('can be sorted by %s, largest first, and continues where a page ended', async (sort, first) => {
    const all = await found(`sort=${sort}`);
    expect(all.slice(0, first.length)).toEqual(first);
    expect([...all].sort()).toEqual(Object.keys(LOGS).sort());
    const pages: string[] = [];
    let cursor = '';
    do {
      const { json } = await ask(`sort=${sort}&limit=2${cursor}`);
      pages.push(...json.data.map(({ id }: { id: string }) => names.get(id)));
      cursor = json.next_cursor === null ? '' : `&cursor=${json.next_cursor}`;
    } while (cursor !== '');
    expect(pages).toEqual(all);
  });

  it('is sorted within other filters, newest first by default', async () => {
    expect(await found('sort=cost&key=bot')).toEqual(['dear', 'large']);
    expect(await found('sort=created_at')).toEqual(Object.keys(LOGS).reverse());
  });

  it('refuses parameters that contradict each other, and the cursor of another order', async () => {
    expect((await ask('min_duration_ms=2&max_duration_ms=1')).status).toBe(400);
    expect((await ask('session_key=thread')).status).toBe(400);
    const { json } = await ask('sort=cost&limit=1');
    expect((await ask(`sort=tokens&limit=1&cursor=${json.next_cursor}`)).status).toBe(400);
    expect((await ask(`limit=1&cursor=${json.next_cursor}`)).status).toBe(400);
  });

  it('shows who asked, and a preview, but no bodies', async () => {
    const { json } = await ask('min_cost=1');
    expect(json.data[0]).toMatchObject({ caller: 'key:bot', key_id: 'k1' });
    expect(json.data[0]).not.toHaveProperty('request');
    expect(json.data[0]).not.toHaveProperty('_tokens');
  });

  it('is the base for bulk changes and counts with the same filter', async () => {
    const { json: counted } = await api.call('GET', `/${PROJECT}/logs/count?min_tokens=1000`);
    expect(counted.count).toBe(1);
    const body = { filter: { min_tokens: 1000, key: 'bot' }, add_tags: ['large'] };
    expect((await api.call('POST', `/${PROJECT}/logs/bulk`, { body })).json).toEqual({
      matched: 1,
      changed: 1,
    });
  });

  describe('where there are more logs than one query looks through', () => {
    let store: Store;
    beforeAll(() => {
      store = connectStore({
        uri: api.test.uri,
        logger: silentLogger,
        listReach: { byIndex: 2, byLog: 1 },
      });
    });
    afterAll(() => store.close());
    const shown = (logs: { _id: string }[]) => logs.map(({ _id }) => names.get(_id));

    it('says so, and looks further with each page until all were looked at', async () => {
      const pages: unknown[] = [];
      let after: Parameters<Store['logs']['list']>[2]['after'];
      do {
        const page = await store.logs.list(PROJECT, { min_duration_ms: 5_000 }, { limit: 10, after });
        pages.push([shown(page.logs), page.searched]);
        after = page.next ?? undefined;
      } while (after !== undefined);
      expect(pages).toEqual([
        [[], 2],
        [['late'], 2],
        [['slow'], undefined],
      ]);
      const [narrowed] = (await store.logs.list(PROJECT, { min_cost: 1, key: ['bot'] }, { limit: 10 })).logs;
      expect(narrowed).toBeUndefined();
    });

    it('stops as well where two frequent conditions rarely hold together, and counts no further', async () => {
      const filter = { key: ['bot'], model: ['other/huge'] };
      const first = await store.logs.list(PROJECT, filter, { limit: 10 });
      expect([shown(first.logs), first.searched]).toEqual([[], 1]);
      const next = await store.logs.list(PROJECT, filter, { limit: 10, after: first.next! });
      expect(shown(next.logs)).toEqual(['dear']);
      expect(await store.logs.count(PROJECT, filter, 10)).toEqual({ count: 0, more: true });
    });

    it('finds all at once where one of the conditions is rare', async () => {
      const filter = { key: ['bot'], model: ['other/huge'], finding: ['IBAN_CODE'] };
      expect(await store.logs.list(PROJECT, filter, { limit: 10 })).toEqual({ logs: [], next: null });
      expect(await store.logs.count(PROJECT, filter, 10)).toEqual({ count: 0, more: false });
    });

    it('sorts by size among the logs that it looked through', async () => {
      const first = await store.logs.listBy(PROJECT, {}, 'tokens', { limit: 1 });
      expect([shown(first.logs), first.searched]).toEqual([['large'], 2]);
      const rest = await store.logs.listBy(PROJECT, {}, 'tokens', { limit: 5, after: first.next! });
      expect([shown(rest.logs), rest.next]).toEqual([['found'], null]);
    });
  });
});

describe.skipIf(missingMongod !== null)('counting logs', () => {
  it('accepts every filter, and counts only logs of the project', async () => {
    const api = await openAdminApi();
    await api.store.logs.insertMany([
      logRecord({ tags: ['a'] }),
      logRecord({ tags: ['a', 'b'] }),
      logRecord(),
    ]);
    const count = async (query: string) => (await api.call('GET', `/${PROJECT}/logs/count${query}`)).json;
    expect(await count('')).toEqual({ count: 3, at_least: false });
    expect(await count('?tags_all=a&tags_none=b')).toEqual({ count: 1, at_least: false });
    expect((await count('?limit=3')).error.code).toBe('invalid_request');
    await api.close();
  });
});
