import { v4, v7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  borrowGateway,
  type CallOptions,
  type Gateway,
  KEYS,
  OTHER_PROJECT,
  PROJECT,
} from '../../support/gateway.js';
import { WRONG_SIGNALS } from '../../support/signal.js';
import { missingPrograms } from '../../support/start-sluice.js';

const GOOD = { score: 0.5, weight: 1 };
const AN_HOUR_AGO = () => v7({ msecs: Date.now() - 3_600_000 });

describe.skipIf(missingPrograms !== null)('through the same base URL', () => {
  let gateway: Gateway;
  /** A log for what is refused: nothing may change on it. */
  let untouched: string;

  beforeAll(async () => {
    gateway = await borrowGateway();
    untouched = await land();
  });
  afterAll(() => gateway?.stop());

  /** A new log of the project, whole in MongoDB. */
  async function land(): Promise<string> {
    const { id } = await gateway.ask({ metadata: { task: 'faq' } });
    await gateway.log(id);
    return id;
  }

  async function expectUntouched(): Promise<void> {
    expect(await gateway.log(untouched)).toMatchObject({
      metadata: { task: 'faq' },
      tags: ['task:faq'],
      quality_rating: null,
      feedback_count: 0,
      score: null,
    });
  }

  describe('feedback', () => {
    const give = (body: unknown, options: CallOptions = {}, id = untouched, project = PROJECT) =>
      gateway.call('POST', `/${project}/feedback/${id}`, { body, ...options });

    it('finds the log by the request id of a client that hides headers', async () => {
      const requestId = v4();
      const { id } = await gateway.ask({}, { headers: { 'x-client-request-id': requestId } });
      const answer = await gateway.call('POST', `/${PROJECT}/feedback/by-request/${requestId}`, {
        body: GOOD,
      });
      expect([answer.status, answer.id]).toEqual([200, id]);
      expect(await gateway.log(id)).toMatchObject({ feedback_count: 1, score: 0.5 });
    });

    it('is answered with 200 and its id, and counts on the log', async () => {
      const id = await land();
      gateway.provider.reset();
      const signal = {
        ...GOOD,
        improvement: { role: 'assistant', content: 'Better.' },
        qualitative_feedback: 'Too short.',
        signal_name: 'thumbs',
        signal_source: 'system',
        signal_type: 'implicit',
        metadata: { page: 3 },
      };
      const answer = await give(signal, {}, id);
      expect(answer.status).toBe(200);
      expect(answer.json).toEqual({
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        message: expect.any(String),
      });
      expect(answer.id).toBe(id);
      await give({ score: -1, weight: 0.5 }, {}, id);
      expect(await gateway.log(id)).toMatchObject({ feedback_count: 2, score: 0 });
      expect(gateway.provider.requests).toEqual([]);
    });

    it.each(WRONG_SIGNALS)('with a wrong %s is 400: %j', async (path, body) => {
      const answer = await give(body);
      expect(answer.status).toBe(400);
      expect(answer.json.error).toMatchObject({
        type: 'invalid_request_error',
        code: 'invalid_request',
        details: [{ path, message: expect.any(String) }],
      });
      expect(answer.headers.get('x-should-retry')).toBe('false');
      expect(answer.id).toBe(untouched);
      await expectUntouched();
    });

    it.each(['{', '[]', 'null', '""'])('that is not a JSON object is 400: %s', async (body) => {
      const answer = await give(body);
      expect([answer.status, answer.json.error.code]).toEqual([400, 'invalid_request']);
    });

    it('on a malformed id is 400', async () => {
      const answer = await give(GOOD, {}, 'no-uuid');
      expect([answer.status, answer.json.error.details[0].path]).toEqual([400, 'inference_log_id']);
    });

    it('on an unknown log is 404', async () => {
      for (const id of [AN_HOUR_AGO(), v4()]) {
        const answer = await give(GOOD, {}, id);
        expect([answer.status, answer.json.error.code]).toEqual([404, 'not_found']);
      }
    });

    it('on a log of another project is 404', async () => {
      expect((await give(GOOD, { key: KEYS.other }, untouched, OTHER_PROJECT)).status).toBe(404);
    });

    it('on a log that is still on its way to the store is accepted', async () => {
      const { id } = await gateway.ask();
      expect((await give(GOOD, {}, id)).status).toBe(200);
      await gateway.log(id);
      await expect.poll(async () => (await gateway.log(id)).feedback_count, { timeout: 10_000 }).toBe(1);
    });

    it('that is repeated with its Idempotency-Key counts once', async () => {
      const id = await land();
      const headers = { 'idempotency-key': v4() };
      const [first, second] = [await give(GOOD, { headers }, id), await give(GOOD, { headers }, id)];
      expect(second.json).toEqual(first.json);
      expect((await give({ ...GOOD, score: 0 }, { headers }, id)).status).toBe(422);
      expect((await gateway.log(id)).feedback_count).toBe(1);
    });

    it.each([
      ['no key', null, PROJECT, 401, 'invalid_api_key'],
      ['an unknown key', 'sk-unknown', PROJECT, 401, 'invalid_api_key'],
      ['a key of another project', KEYS.other, PROJECT, 401, 'invalid_api_key'],
      ['an unknown project', KEYS.all, v4(), 401, 'invalid_api_key'],
      ['a key without the scope', KEYS.inference, PROJECT, 403, 'insufficient_scope'],
    ])('with %s', async (_case, key, project, status, code) => {
      const answer = await give(GOOD, { key }, untouched, project);
      expect([answer.status, answer.json.error?.code]).toEqual([status, code]);
    });

    it("needs a key with the scope for it, or the admin's", async () => {
      const id = await land();
      for (const key of [KEYS.feedback, gateway.sluice.adminKey]) {
        expect((await give(GOOD, { key }, id)).status).toBe(200);
      }
    });
  });

  describe.each(['', `/${PROJECT}`])('a patch of %s/log/…', (prefix) => {
    const patch = (body: unknown, options: CallOptions = {}, id = untouched) =>
      gateway.call('PATCH', `${prefix}/log/${id}`, { body, ...options });

    it('changes only what it names, and is answered with the log', async () => {
      const id = await land();
      const metadata = await patch({ metadata: { a: 'b', 'c.d': { $e: null } } }, {}, id);
      expect([metadata.status, metadata.json.metadata, metadata.json.tags]).toEqual([
        200,
        { a: 'b', 'c.d': { $e: null } },
        ['task:faq'],
      ]);
      const tags = await patch({ metadata_tags: ['new', 'tier:pro'] }, {}, id);
      expect([tags.json.metadata, tags.json.tags]).toEqual([metadata.json.metadata, ['new', 'tier:pro']]);
      const rating = await patch({ quality_rating: '👍' }, {}, id);
      expect(rating.json).toMatchObject({ _id: id, quality_rating: '👍', tags: tags.json.tags });
      expect((await patch({ quality_rating: null }, {}, id)).json.quality_rating).toBeNull();
      expect(await gateway.log(id)).toMatchObject({ tags: ['new', 'tier:pro'], quality_rating: null });
      expect(rating.id).toBe(id);
    });

    it.each([
      {},
      { metadata: 'x' },
      { metadata: null },
      { metadata: [] },
      { metadata: { 'a\0b': 1 } },
      { metadata_tags: 'new' },
      { metadata_tags: [1] },
      { metadata_tags: null },
      { quality_rating: 'good' },
      { quality_rating: '👍👍' },
      { tags: ['new'] },
      { status: 'error' },
    ])('with anything else is 400: %j', async (body) => {
      const answer = await patch(body);
      expect([answer.status, answer.json.error.code]).toEqual([400, 'invalid_request']);
      await expectUntouched();
    });

    it('waits for a log that is still on its way to the store', async () => {
      const { id } = await gateway.ask();
      expect((await patch({ quality_rating: '👎' }, {}, id)).json).toMatchObject({
        _id: id,
        quality_rating: '👎',
      });
    });

    it('of an unknown log is 404, of a malformed id 400', async () => {
      expect((await patch({ quality_rating: '👎' }, {}, AN_HOUR_AGO())).status).toBe(404);
      expect((await patch({ quality_rating: '👎' }, {}, 'no-uuid')).status).toBe(400);
    });

    it.each([
      ['no key', null, 401],
      ['an unknown key', 'sk-unknown', 401],
      ['a key without the scope', KEYS.feedback, 403],
      ['a key of another project', KEYS.other, prefix === '' ? 404 : 401],
    ])('with %s', async (_case, key, status) => {
      expect((await patch({ quality_rating: '👍' }, { key })).status).toBe(status);
      await expectUntouched();
    });

    it("needs a key with the scope for it, or the admin's", async () => {
      const id = await land();
      for (const key of [KEYS.logs, gateway.sluice.adminKey]) {
        expect((await patch({ quality_rating: '👍' }, { key }, id)).status).toBe(200);
      }
    });
  });
});
