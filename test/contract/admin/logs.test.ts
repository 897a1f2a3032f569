import { v4 } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AttemptRecord, LogRecord, PluginOutcome, PluginRun } from '../../../src/core/log-record.js';
import { type AdminApi, KEYS, openAdminApi, PROJECT } from '../../support/admin-api.js';
import { logRecord } from '../../support/log-record.js';
import { missingMongod } from '../../support/mongod.js';

const START = Date.UTC(2026, 0, 1);
const at = (minute: number) => new Date(START + minute * 60_000);

const attempt = (status: AttemptRecord['status']): AttemptRecord => ({
  provider: 'local',
  model: 'large',
  status,
  http_status: null,
  error: null,
  duration_ms: 1,
  usage: null,
});
const ran = (plugin: string, outcome: PluginOutcome): PluginRun => ({
  plugin,
  phase: 'request',
  outcome,
  duration_ms: 1,
  findings: [],
});

describe.skipIf(missingMongod !== null)('the list of logs', () => {
  let api: AdminApi;
  /** By name; oldest first. */
  const logs: Record<string, LogRecord> = {
    refused: logRecord({
      created_at: at(-1),
      status: 'rejected',
      http_status: 400,
      plugin_runs: [ran('pii_detection', 'rejected'), ran('webhook', 'passed')],
    }),
    plain: logRecord({ created_at: at(0) }),
    tagged: logRecord({ created_at: at(1), tags: ['task:a', 'x,y', '$z'], metadata: { task: 'a', n: 1 } }),
    other: logRecord({ created_at: at(2), tags: ['task:b'], metadata: { task: 'b', n: '1', flag: true } }),
    odd: logRecord({
      created_at: at(3),
      metadata: JSON.parse(
        '{"a.b":"dots","$k":"dollar","__proto__":"proto","👍":null,"":"empty","deep":{"x":1}}',
      ),
    }),
    failed: logRecord({
      created_at: at(4),
      status: 'error',
      http_status: 502,
      model: null,
      endpoint: null,
      error: { code: 'upstream_unavailable', message: 'x' },
      attempts: [attempt('connect'), { ...attempt('timeout'), provider: 'other', model: 'broken' }],
    }),
    slow: logRecord({
      created_at: at(5),
      model: 'claude/large',
      endpoint: 'other',
      client_request_id: 'r-1',
      attempts: [attempt('timeout'), attempt('timeout'), attempt('success')],
    }),
    liked: logRecord({ created_at: at(6), quality_rating: '👍' }),
    words: logRecord({
      created_at: at(7),
      request: { messages: [{ role: 'user', content: [{ type: 'text', text: 'Où est l’Éléphant_42?' }] }] },
      response: { choices: [{ message: { content: 'Straße ＦＵＬＬ' } }] },
    }),
  };

  beforeAll(async () => {
    api = await openAdminApi();
    await api.store.logs.insertMany(Object.values(logs));
    for (const [name, score] of [
      ['liked', 1],
      ['slow', -0.5],
    ] as const) {
      await api.call('POST', `/${PROJECT}/feedback/${logs[name]?._id}`, {
        body: { score, weight: 1 },
        key: KEYS.admin,
      });
    }
  });

  afterAll(() => api.close());

  async function found(query: string): Promise<string[]> {
    const answer = await api.call('GET', `/${PROJECT}/logs${query}`);
    expect(answer.status, answer.text).toBe(200);
    const ids: string[] = answer.json.data.map((log: { _id: string }) => log._id);
    return ids.map((id) => Object.keys(logs).find((name) => logs[name]?._id === id) as string);
  }

  it('is newest first, without bodies', async () => {
    expect(await found('')).toEqual(Object.keys(logs).reverse());
    const { data } = (await api.call('GET', `/${PROJECT}/logs?limit=1`)).json;
    const { request, response, created_at, ...rest } = logs.words as LogRecord;
    expect(data).toEqual([{ ...rest, id: rest._id, created_at: created_at.toISOString() }]);
  });

  it.each([
    ['tags_any=task:a&tags_any=task:b', ['other', 'tagged']],
    ['tags_all=task:a&tags_all=$z', ['tagged']],
    ['tags_any=x,y', ['tagged']],
    ['tags_none=task:a&tags_none=task:b&to=2026-01-01T00:04:00Z', ['odd', 'plain', 'refused']],
    ['tags_any=task:a&tags_none=$z', []],
    ['metadata.task=a', ['tagged']],
    ['metadata.task=a&metadata.task=b', ['other', 'tagged']],
    ['metadata.task=b&metadata.flag=true', ['other']],
    ['metadata.task=a&metadata.flag=true', []],
    ['metadata.n=1', ['other', 'tagged']],
    ['metadata.n=1.0', ['tagged']],
    ['metadata.n=10e-1', ['tagged']],
    ['metadata.a.b=dots', ['odd']],
    ['metadata.$k=dollar', ['odd']],
    ['metadata.__proto__=proto', ['odd']],
    [`metadata.${encodeURIComponent('👍')}=null`, ['odd']],
    ['metadata.=empty', ['odd']],
    ['metadata.deep=x', []],
    ['model=local/large&endpoint=support&status=success&to=2026-01-01T00:01:00Z', ['plain']],
    ['model=claude/large', ['slow']],
    ['model=other/broken', ['failed']],
    ['model=other', ['failed']],
    ['model=other&model=claude', ['slow', 'failed']],
    ['model=other&status=error', ['failed']],
    ['model=other&status=success', []],
    ['model=local&status=error', []],
    ['failed_model=local', ['slow', 'failed']],
    ['failed_model=local/large&status=success', ['slow']],
    ['failed_model=other', ['failed']],
    ['failed_model=other/broken&failed_model=local/small', ['failed']],
    ['failed_model=claude', []],
    ['endpoint=other&endpoint=support&from=2026-01-01T00:05:00Z', ['words', 'liked', 'slow']],
    ['status=error&status=aborted', ['failed']],
    [`quality_rating=${encodeURIComponent('👍')}`, ['liked']],
    ['has_feedback=true', ['liked', 'slow']],
    ['has_feedback=false&from=2026-01-01T00:05:00Z', ['words']],
    ['min_score=0.5', ['liked']],
    ['max_score=0', ['slow']],
    ['min_score=-1&max_score=1', ['liked', 'slow']],
    ['client_request_id=r-1', ['slow']],
    ['error_code=upstream_unavailable', ['failed']],
    ['error_code=upstream_timeout', []],
    ['fallback_reason=timeout', ['slow']],
    ['fallback_reason=timeout&fallback_reason=connect', ['slow', 'failed']],
    ['rejected_by=pii_detection', ['refused']],
    ['rejected_by=webhook', []],
    ['from=2026-01-01T00:06:00Z&to=2026-01-01T00:07:00Z', ['liked']],
    ['from=2026-01-01T00:06:00&to=2026-01-01T00:07', ['liked']],
    ['to=2026-01-01T01:01:00%2B01:00', ['plain', 'refused']],
    ['to=2026-01-01T01:01:00+01:00', ['plain', 'refused']],
    ['to=2026-01-02&from=2026-01-01&status=error', ['failed']],
    ['q=%C3%A9l%C3%A9phant_42', ['words']],
    ['q=O%C3%99,%20full!', ['words']],
    ['q=parcel&from=2026-01-01T00:06:00Z', ['liked']],
    ['q=parcel%20elephant', []],
  ])('can be filtered by %s', async (query, expected) => {
    expect(await found(`?${query}`)).toEqual(expected);
  });

  it.each([
    ['limit', 'limit=0'],
    ['limit', 'limit=201'],
    ['limit', 'limit=many'],
    ['limit', 'limit=1&limit=2'],
    ['status', 'status=ok'],
    ['quality_rating', 'quality_rating=good'],
    ['has_feedback', 'has_feedback=perhaps'],
    ['min_score', 'min_score=2'],
    ['max_score', 'max_score=x'],
    ['min_score', 'min_score=0.5&max_score=0.1'],
    ['from', 'from=2026-01-02&to=2026-01-01'],
    ['from', 'from=yesterday'],
    ['from', 'from=2026-01-01T00:00:00%2B02'],
    ['to', 'to=2016-12-31T23:59:60Z'],
    ['to', 'to=2026-13-01'],
    ['q', 'q='],
    ['q', 'q=%20!%20'],
    ['cursor', 'cursor=x'],
    ['tag', 'tag=x'],
    ['metadata', 'metadata=x'],
  ])('is answered with a 400 for a wrong %s: %s', async (path, query) => {
    const answer = await api.call('GET', `/${PROJECT}/logs?${query}`);
    expect([answer.status, answer.json.error?.code]).toEqual([400, 'invalid_request']);
    const paths = answer.json.error.details.map((detail: { path: string }) => detail.path);
    expect(paths).toEqual([path]);
  });

  it('needs the scope', async () => {
    const statusWith = async (key: string | null) =>
      (await api.call('GET', `/${PROJECT}/logs`, { key })).status;
    expect(await statusWith(KEYS.logs)).toBe(200);
    expect(await statusWith(KEYS.admin)).toBe(200);
    expect(await statusWith(KEYS.feedback)).toBe(403);
    expect(await statusWith(KEYS.other)).toBe(401);
    expect(await statusWith(null)).toBe(401);
  });

  it('shows one log as a whole, but none of another project', async () => {
    const { created_at, ...rest } = logs.words as LogRecord;
    const answer = await api.call('GET', `/${PROJECT}/logs/${rest._id}`);
    expect(answer.json).toEqual({ id: rest._id, created_at: created_at.toISOString(), ...rest });
    expect((await api.call('GET', `/${v4()}/logs/${rest._id}`, { key: KEYS.admin })).status).toBe(404);
    expect((await api.call('GET', `/${PROJECT}/logs/x`)).status).toBe(400);
  });
});

describe.skipIf(missingMongod !== null)('a cursor', () => {
  let api: AdminApi;

  beforeAll(async () => {
    api = await openAdminApi();
  });

  afterAll(() => api.close());

  it('neither skips nor repeats a log while others arrive, even of the same moment', async () => {
    // Five logs in each millisecond, so that pages end in the middle of one.
    const old = Array.from({ length: 57 }, (_, index) =>
      logRecord({ created_at: new Date(START + Math.floor(index / 5)), tags: ['t'] }),
    );
    await api.store.logs.insertMany(old);
    const expected = old
      .map(({ _id, created_at }) => ({ _id, time: created_at.getTime() }))
      .sort((a, b) => b.time - a.time || (a._id < b._id ? 1 : -1))
      .map(({ _id }) => _id);
    const seen: string[] = [];
    let cursor = '';
    do {
      const answer = await api.call('GET', `/${PROJECT}/logs?tags_any=t&limit=7${cursor}`);
      seen.push(...answer.json.data.map((log: { _id: string }) => log._id));
      await api.store.logs.insertMany([logRecord({ tags: ['t'] })]);
      cursor = answer.json.next_cursor && `&cursor=${answer.json.next_cursor}`;
    } while (cursor);
    expect(seen).toEqual(expected);
  });

  it('works for its own list only', async () => {
    const log = logRecord();
    await api.store.logs.insertMany([log, logRecord()]);
    const { next_cursor } = (await api.call('GET', `/${PROJECT}/logs?limit=1`)).json;
    expect(next_cursor).toEqual(expect.any(String));
    for (const list of [`/${PROJECT}/tags`, `/${PROJECT}/logs/${log._id}/feedback`, '/api/audit']) {
      const answer = await api.call('GET', `${list}?cursor=${next_cursor}`, { key: KEYS.admin });
      expect(answer).toMatchObject({ status: 400, json: { error: { param: 'cursor' } } });
    }
  });
});
