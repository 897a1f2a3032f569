import { v4, v7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { uuidV7Time } from '../../../src/core/ids.js';
import { type AdminApi, KEYS, OTHER_PROJECT, openAdminApi, PROJECT } from '../../support/admin-api.js';
import { logRecord } from '../../support/log-record.js';
import { missingMongod } from '../../support/mongod.js';
import { WRONG_SIGNALS } from '../../support/signal.js';

const GOOD = { score: 0.5, weight: 1 };

describe.skipIf(missingMongod !== null)('feedback', () => {
  let api: AdminApi;
  let logId: string;

  beforeAll(async () => {
    api = await openAdminApi();
    logId = await land();
  });

  afterAll(() => api.close());

  async function land(): Promise<string> {
    const record = logRecord();
    await api.store.logs.insertMany([record]);
    return record._id;
  }

  const give = (body: unknown, id = logId, options = {}) =>
    api.call('POST', `/${PROJECT}/feedback/${id}`, { body, ...options });

  it('is answered with its id, and then part of the log', async () => {
    const id = await land();
    const answer = await give(GOOD, id);
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual({ id: expect.any(String), message: expect.any(String) });
    expect(answer.headers['x-inference-log-id']).toBe(id);
    const log = await api.call('GET', `/${PROJECT}/logs/${id}`);
    expect(log.json).toMatchObject({ _id: id, feedback_count: 1, score: 0.5 });
  });

  it('is refused with a number that JSON would turn into null', async () => {
    const signal = '{"score":1,"weight":1,"metadata":{"seconds":[1e400]}}';
    const alone = await give(signal);
    expect(alone).toMatchObject({ status: 400, json: { error: { param: 'metadata.seconds.0' } } });
    const body = `{"ids":["${logId}"],"feedback":${signal}}`;
    const many = await api.call('POST', `/${PROJECT}/logs/bulk`, { body });
    expect(many).toMatchObject({ status: 400, json: { error: { param: 'feedback.metadata.seconds.0' } } });
  });

  it('is read back with its defaults, and can be taken out again', async () => {
    const id = await land();
    const { json } = await give({ ...GOOD, improvement: { role: 'assistant', content: 'Better.' } }, id);
    const list = await api.call('GET', `/${PROJECT}/logs/${id}/feedback`);
    expect(list.json).toEqual({
      data: [
        {
          id: json.id,
          project_uid: PROJECT,
          log_id: id,
          created_at: expect.any(String),
          ...GOOD,
          improvement: { role: 'assistant', content: 'Better.' },
          qualitative_feedback: null,
          signal_name: null,
          signal_source: 'user',
          signal_type: 'explicit',
          metadata: null,
        },
      ],
      next_cursor: null,
    });
    const path = `/${PROJECT}/logs/${id}/feedback/${json.id}`;
    const headers = { 'content-type': 'application/json' };
    expect((await api.call('DELETE', path, { headers })).status).toBe(204);
    expect((await api.call('DELETE', path)).status).toBe(404);
    const log = await api.call('GET', `/${PROJECT}/logs/${id}`);
    expect(log.json).toMatchObject({ feedback_count: 0, score: null });
  });

  it('is listed page by page', async () => {
    const id = await land();
    for (const score of [1, 0, -1]) await give({ score, weight: 1 }, id);
    const first = await api.call('GET', `/${PROJECT}/logs/${id}/feedback?limit=2`);
    const rest = await api.call('GET', `/${PROJECT}/logs/${id}/feedback?cursor=${first.json.next_cursor}`);
    const scores = [...first.json.data, ...rest.json.data].map((signal) => signal.score);
    expect(scores).toEqual([1, 0, -1]);
    expect(rest.json.next_cursor).toBeNull();
  });

  it.each<readonly [string, unknown]>([
    ...WRONG_SIGNALS,
    ['__proto__', '{"score":1,"weight":1,"__proto__":{}}'],
    ['body', '[]'],
    ['body', 'null'],
  ])('with a wrong %s is refused, and the answer names it: %j', async (path, body) => {
    const answer = await give(body);
    expect(answer.status).toBe(400);
    expect(answer.json.error).toMatchObject({ type: 'invalid_request_error', code: 'invalid_request' });
    expect(answer.json.error.details.map((detail: { path: string }) => detail.path)).toEqual([path]);
    expect(answer.headers['x-inference-log-id']).toBe(logId);
    expect(answer.headers['x-should-retry']).toBe('false');
  });

  it('accepts null where a text or an object is optional', async () => {
    const answer = await give({ ...GOOD, qualitative_feedback: null, signal_name: null, metadata: null });
    expect(answer.status).toBe(200);
  });

  it('lists the mistakes of all fields at once', async () => {
    const answer = await give({ score: 2, weight: 2 });
    expect(answer.json.error.details.map((detail: { path: string }) => detail.path)).toEqual([
      'score',
      'weight',
    ]);
  });

  it('names the possible forms of a field that has several', async () => {
    const { json } = await give({ ...GOOD, qualitative_feedback: 5, metadata: [] });
    expect(json.error.message).toBe(
      'qualitative_feedback: must be string or null; metadata: must be object or null',
    );
  });

  it('that is not JSON, or none at all, is refused', async () => {
    expect((await give('{')).json.error.code).toBe('invalid_request');
    expect((await give('')).status).toBe(400);
    const text = await give('score=1', logId, {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect([text.status, text.json.error.code]).toEqual([415, 'unsupported_media_type']);
    const plain = await give(JSON.stringify(GOOD), logId, { headers: { 'content-type': 'text/plain' } });
    expect([plain.status, plain.json.error.code]).toEqual([415, 'unsupported_media_type']);
    expect((await give(JSON.stringify({ ...GOOD, signal_name: 'x'.repeat(5_000_000) }))).status).toBe(413);
  });

  it('on a malformed id is refused', async () => {
    const answer = await give(GOOD, 'no-uuid');
    expect(answer.status).toBe(400);
    expect(answer.json.error.details[0].path).toBe('inference_log_id');
    // Envoy passes these calls on, and each of its answers has an id.
    expect(uuidV7Time(answer.headers['x-inference-log-id'] as string)).toBeDefined();
  });

  it('on an unknown log is 404, unless the log may still be on its way to the store', async () => {
    const old = await give(GOOD, v7({ msecs: Date.now() - 3_600_000 }));
    expect([old.status, old.json.error.code]).toEqual([404, 'not_found']);
    expect((await give(GOOD, v4())).status).toBe(404);
    expect((await give(GOOD, v7())).status).toBe(200);
  });

  it('on a log of another project is 404', async () => {
    const answer = await api.call('POST', `/${OTHER_PROJECT}/feedback/${logId}`, {
      body: GOOD,
      key: KEYS.other,
    });
    expect(answer.status).toBe(404);
  });

  it.each([
    ['no key', null, PROJECT, 401, 'invalid_api_key'],
    ['an unknown key', 'sk-unknown', PROJECT, 401, 'invalid_api_key'],
    ['a key of another project', KEYS.other, PROJECT, 401, 'invalid_api_key'],
    ['an unknown project', KEYS.all, v4(), 401, 'invalid_api_key'],
    ['a key without the scope', KEYS.logs, PROJECT, 403, 'insufficient_scope'],
    ['a key with the scope', KEYS.feedback, PROJECT, 200, undefined],
    ['an admin key', KEYS.admin, PROJECT, 200, undefined],
  ])('with %s', async (_case, key, project, status, code) => {
    const answer = await api.call('POST', `/${project}/feedback/${logId}`, { body: GOOD, key });
    expect([answer.status, answer.json.error?.code]).toEqual([status, code]);
    expect(answer.headers['x-inference-log-id']).toBe(logId);
  });

  it('accepts the key in x-api-key too', async () => {
    const answer = await give(GOOD, logId, { key: null, headers: { 'x-api-key': KEYS.feedback } });
    expect(answer.status).toBe(200);
  });

  it('with an Idempotency-Key gets the same answer for a repeat, and 422 for another body', async () => {
    const headers = { 'idempotency-key': v4() };
    const first = await give(GOOD, logId, { headers });
    expect((await give(GOOD, logId, { headers })).json).toEqual(first.json);
    const other = await give({ score: 1, weight: 1 }, logId, { headers });
    expect([other.status, other.json.error.code]).toEqual([422, 'idempotency_conflict']);
    const long = await give(GOOD, logId, { headers: { 'idempotency-key': 'x'.repeat(256) } });
    expect(long.json.error.details[0].path).toBe('Idempotency-Key');
  });

  it('of an unknown log cannot be listed', async () => {
    expect((await api.call('GET', `/${PROJECT}/logs/${v7()}/feedback`)).status).toBe(404);
  });

  describe('by the request id of a client', () => {
    const giveByRequest = (id: string, options = {}) =>
      api.call('POST', `/${PROJECT}/feedback/by-request/${encodeURIComponent(id)}`, {
        body: GOOD,
        ...options,
      });

    it('counts on the newest log of that id', async () => {
      const client_request_id = 'req/1 ü';
      const [older, newer] = [2000, 1000].map((agoMs) =>
        logRecord({ client_request_id, created_at: new Date(Date.now() - agoMs) }),
      );
      const foreign = logRecord({ client_request_id, project_uid: OTHER_PROJECT });
      await api.store.logs.insertMany([newer, older, foreign] as never);
      const answer = await giveByRequest(client_request_id);
      expect([answer.status, answer.headers['x-inference-log-id']]).toEqual([200, newer?._id]);
      const counts = await Promise.all(
        [older, newer, foreign].map(
          async (log) => (await api.store.logs.get({ id: log?._id as string }))?.feedback_count,
        ),
      );
      expect(counts).toEqual([0, 1, 0]);
    });

    it('waits for a log that lands in time, and is 404 where none does', async () => {
      const client_request_id = v4();
      const answer = giveByRequest(client_request_id);
      await api.store.logs.insertMany([logRecord({ client_request_id })]);
      expect((await answer).status).toBe(200);
      const { status, json, headers } = await giveByRequest('nobody');
      expect([status, json.error.code]).toEqual([404, 'not_found']);
      expect(uuidV7Time(headers['x-inference-log-id'] as string)).toBeDefined();
    });

    it('is answered the same for a repeat, whatever log came in between', async () => {
      const client_request_id = v4();
      const headers = { 'idempotency-key': v4() };
      await api.store.logs.insertMany([logRecord({ client_request_id })]);
      const first = await giveByRequest(client_request_id, { headers });
      await api.store.logs.insertMany([logRecord({ client_request_id })]);
      expect((await giveByRequest(client_request_id, { headers })).json).toEqual(first.json);
    });
  });
});
