import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/core/json.js';
import type { LogRecord } from '../../../src/core/log-record.js';
import { type AdminApi, openAdminApi, PROJECT } from '../../support/admin-api.js';
import { logRecord } from '../../support/log-record.js';
import { missingMongod } from '../../support/mongod.js';

const schema = {
  type: 'object',
  properties: { total: { type: 'integer' } },
  required: ['total'],
  additionalProperties: false,
};
const asking = (format: JsonObject): Partial<LogRecord> => ({
  request: {
    model: 'support',
    messages: [{ role: 'user', content: 'How many?' }],
    response_format: format,
  },
});
const WITH_SCHEMA = asking({ type: 'json_schema', json_schema: { name: 'count', schema } });
const better = (content: string) => ({
  score: -1,
  weight: 1,
  improvement: { role: 'assistant', content },
});

describe.skipIf(missingMongod !== null)('an improvement', () => {
  let api: AdminApi;
  beforeAll(async () => {
    api = await openAdminApi();
  });
  afterAll(() => api.close());

  async function land(changes: Partial<LogRecord>): Promise<string> {
    const record = logRecord(changes);
    await api.store.logs.insertMany([record]);
    return record._id;
  }
  const give = (id: string, content: string) =>
    api.call('POST', `/${PROJECT}/feedback/${id}`, { body: better(content) });
  const exported = async (tag: string) => {
    const { text } = await api.call('GET', `/${PROJECT}/exports/sft.jsonl?tags_all=${tag}`);
    return text.split('\n').filter((line) => line !== '');
  };
  const summary = async (tag: string) =>
    (await api.call('GET', `/${PROJECT}/exports/sft/summary?tags_all=${tag}`)).json;

  it('is refused where it does not fit the JSON Schema of its request, and says where', async () => {
    const id = await land(WITH_SCHEMA);
    const refused = await give(id, '{"total": "many"}');
    expect(refused).toMatchObject({
      status: 422,
      json: { error: { code: 'invalid_improvement', details: [{ path: '/total' }] } },
    });
    expect(refused.json.error.message).toContain('at /total');
    expect((await give(id, 'Many.')).status).toBe(422);
    expect(await api.store.logs.get({ id })).toMatchObject({ feedback_count: 0 });
    expect((await give(id, '{"total": 3}')).status).toBe(200);
  });

  it('must be a JSON object where the request asks for any JSON object', async () => {
    const id = await land(asking({ type: 'json_object' }));
    expect((await give(id, 'Three.')).status).toBe(422);
    expect((await give(id, '{"any":1}')).status).toBe(200);
  });

  it('is accepted where no schema is asked for', async () => {
    for (const changes of [{}, { request: null }, asking({ type: 'text' })]) {
      expect((await give(await land(changes), 'Any text.')).status).toBe(200);
    }
  });

  it('in a bulk change skips the logs whose schema it does not fit, and counts them', async () => {
    const [plain, strict] = [await land({}), await land(WITH_SCHEMA)];
    const body = { ids: [plain, strict], feedback: better('Three.'), add_tags: ['seen'] };
    const { json } = await api.call('POST', `/${PROJECT}/logs/bulk`, { body });
    expect(json).toEqual({ matched: 2, changed: 2, skipped: { improvement: 1 } });
    expect(await api.store.logs.get({ id: plain })).toMatchObject({ feedback_count: 1 });
    expect(await api.store.logs.get({ id: strict })).toMatchObject({ feedback_count: 0, tags: ['seen'] });
  });

  it('that came before its log, and does not fit its schema, never becomes training data', async () => {
    const record = logRecord({ ...WITH_SCHEMA, tags: ['early'] });
    expect((await give(record._id, 'Three.')).status).toBe(200);
    await api.store.logs.insertMany([record]);
    expect(await exported('early')).toEqual([]);
    expect(await summary('early')).toEqual({
      lines: 0,
      left_out: { mixed_forms: 0, invalid_improvement: 1 },
    });
  });

  const guarded = (phase: 'request' | 'response'): LogRecord['plugin_runs'] => [
    {
      plugin: 'pii_detection',
      phase,
      outcome: 'modified',
      duration_ms: 1,
      findings: [{ type: 'PERSON', place: '/0/parts/0/text', start: 5, end: 8, score: 1 }],
    },
  ];
  const said = (content: string) => ({
    id: 'c',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content } }],
  });
  const asked = (content: string) => ({ model: 'support', messages: [{ role: 'user', content }] });
  const rated = { quality_rating: '👍', plugin_runs: guarded('request') } as const;

  it('uses names or placeholders in the same way as its prompt', async () => {
    await land({
      ...rated,
      tags: ['form'],
      request: asked('I am Ann.'),
      request_kept: 'as_it_was',
      response: said('Hello <PERSON_1>.'),
      client_response: said('Hello Ann.'),
      client_response_kept: 'as_it_was',
    });
    await land({
      ...rated,
      tags: ['form'],
      request: asked('I am <PERSON_1>.'),
      request_kept: 'masked',
      response: said('Hi <PERSON_1>.'),
      client_response_kept: 'masked',
    });
    // The model was shown <PERSON> for good: what it answered has no names.
    await land({
      ...rated,
      tags: ['form'],
      request: asked('I am Ann!'),
      request_kept: 'as_it_was',
      response: said('Bye <PERSON>.'),
    });
    const lines = (await exported('form')).map((line) => JSON.parse(line).messages);
    expect(lines.map((messages) => messages.map(({ content }: { content: string }) => content))).toEqual([
      ['I am Ann.', 'Hello Ann.'],
      ['I am <PERSON_1>.', 'Hi <PERSON_1>.'],
    ]);
    expect(await summary('form')).toEqual({
      lines: 2,
      left_out: { mixed_forms: 1, invalid_improvement: 0 },
    });
  });
});
