import { randomUUID } from 'node:crypto';
import { Readable, Writable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { scoreTexts } from '../../../src/commands/pii/evaluate.js';
import { type AdminApi, KEYS, OTHER_PROJECT, openAdminApi, PROJECT } from '../../support/admin-api.js';
import { logRecord } from '../../support/log-record.js';
import { missingMongod } from '../../support/mongod.js';

const QUESTION = '🙂 I am Ann Lee, write to ann.lee@example.org.';
const EMAIL = { start: 26, end: 45, type: 'EMAIL_ADDRESS' };
const PERSON = { start: 8, end: 15, type: 'PERSON' };
const OF_QUESTION = { phase: 'request', place: '/1/parts/0/text' };

describe.skipIf(missingMongod !== null)('marks of personal data', () => {
  let api: AdminApi;
  let anna: string;
  let tag: string;
  let queue: string;

  beforeAll(async () => {
    api = await openAdminApi();
    const body = { name: 'anna', scopes: ['feedback', 'logs'] };
    anna = (await api.call('POST', `/api/projects/${PROJECT}/api-keys`, { key: KEYS.admin, body })).json.key;
  });

  afterAll(() => api.close());

  beforeEach(() => {
    tag = `marked:${randomUUID()}`;
    queue = `q${randomUUID()}`;
  });

  async function define(more: object = {}) {
    const { headers } = await api.call('GET', `/${PROJECT}/judging`);
    const body = {
      dimensions: [{ name: 'helpful', scale: { min: 1, max: 5 } }],
      queues: [{ name: queue, task: 'mark_pii', filter: { tags_any: tag }, ...more }],
    };
    const options = { key: KEYS.admin, body, headers: { 'if-match': String(headers.etag) } };
    return api.call('PUT', `/${PROJECT}/judging`, options);
  }

  async function land(more: object = {}): Promise<string> {
    const messages = [
      { role: 'system', content: 'You work for Jane Roe.' },
      { role: 'user', content: QUESTION },
    ];
    const record = logRecord({
      project_uid: PROJECT,
      tags: [tag],
      request: { model: 'support', messages },
      ...more,
    });
    await api.store.logs.insertMany([record]);
    return record._id;
  }

  const next = async () => {
    const { status, json } = await api.call('POST', `/${PROJECT}/queue/next`, { key: anna, body: { queue } });
    return status === 200 ? json.log.id : status;
  };
  const textsOf = (id: string) => api.call('GET', `/${PROJECT}/logs/${id}/pii-marks`, { key: anna });
  const mark = (id: string, marks: object[], more: { key?: string; queue?: string } = {}) =>
    api.call('POST', `/${PROJECT}/logs/${id}/pii-marks`, {
      key: more.key ?? anna,
      body: { queue: more.queue ?? queue, marks },
    });
  const exported = async (query = `tags_any=${tag}`) => {
    const { text } = await api.call('GET', `/${PROJECT}/exports/pii.jsonl?${query}`);
    return text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  };

  it('begin with what the detector finds in the texts that are new in a log', async () => {
    const { status, json } = await textsOf(await land());
    expect(status).toBe(200);
    expect(json.cut).toBe(false);
    expect(json.types).toEqual(expect.arrayContaining(['PERSON', 'DE_TAX_ID']));
    const score = expect.any(Number);
    expect(json.texts).toEqual([
      {
        ...OF_QUESTION,
        role: 'user',
        text: QUESTION,
        findings: [
          { ...PERSON, score },
          { ...EMAIL, score },
        ],
      },
      { phase: 'response', place: '/0/parts/0/text', role: 'assistant', text: 'On its way.', findings: [] },
    ]);
  });

  it('become a signal that says nothing about the answer, and lines from which the detector is scored', async () => {
    await define();
    const id = await land();
    expect(await next()).toBe(id);
    const marks = [{ ...OF_QUESTION, ...PERSON }];
    expect((await mark(id, marks)).status).toBe(200);
    expect(await next()).toBe(204);
    const log = (await api.call('GET', `/${PROJECT}/logs/${id}`)).json;
    expect([log.feedback_count, log.score, log.quality_rating]).toEqual([1, null, null]);
    const [signal] = (await api.call('GET', `/${PROJECT}/logs/${id}/feedback`)).json.data;
    expect(signal).toMatchObject({
      signal_name: 'pii_marks',
      weight: 0,
      metadata: { annotator: 'anna', queue, marks },
    });
    const lines = await exported();
    const common = { log_id: id, annotator: 'anna' };
    expect(lines).toEqual([
      {
        ...common,
        ...OF_QUESTION,
        text: QUESTION,
        spans: [{ start: 7, end: 14, entity_type: 'PERSON' }],
      },
      { ...common, phase: 'response', place: '/0/parts/0/text', text: 'On its way.', spans: [] },
    ]);
    let table = '';
    const output = new Writable({
      write(chunk, _encoding, done) {
        table += chunk;
        done();
      },
    });
    await scoreTexts({ input: Readable.from(lines.map((line) => `${JSON.stringify(line)}\n`)), output });
    expect(table).toMatch(/PERSON +1 +1 +1\.000 +1\.000 +1\.000/);
    expect(table).toMatch(/EMAIL_ADDRESS +0 +1 +0\.000 +- +0\.000/);
  });

  it('are taken out again, and the log comes back', async () => {
    await define();
    const id = await land();
    const { json } = await mark(id, []);
    expect(await exported()).toHaveLength(2);
    expect((await mark(id, [])).json.error.code).toBe('already_judged');
    expect((await api.call('DELETE', `/${PROJECT}/judgements/${json.id}`, { key: anna })).status).toBe(204);
    expect(await exported()).toEqual([]);
    expect(await next()).toBe(id);
  });

  it('go with the feedback that holds them', async () => {
    await define();
    const id = await land();
    await mark(id, []);
    const [signal] = (await api.call('GET', `/${PROJECT}/logs/${id}/feedback`)).json.data;
    const path = `/${PROJECT}/logs/${id}/feedback/${signal.id}`;
    expect((await api.call('DELETE', path, { key: anna })).status).toBe(204);
    expect(await exported()).toEqual([]);
    expect(await next()).toBe(id);
  });

  it('are exported for one queue alone where that is asked', async () => {
    await define();
    await mark(await land(), []);
    expect(await exported(`queue=${queue}`)).toHaveLength(2);
    expect(await exported(`queue=other`)).toEqual([]);
  });

  it.each([
    ['marks.0.place', { place: '/0/parts/0/text' }, 'is no text of the request'],
    ['marks.0.type', { type: 'NAME' }, 'is no type of the detector'],
    ['marks.0.end', { end: 99 }, 'the text has 46 UTF-16 units'],
    ['marks.0', { start: 1 }, 'inside a character'],
    ['marks.0.start', { start: -1 }, '>= 0'],
    ['marks.0.phase', { phase: 'log' }, 'must be one of'],
    ['marks.0.value', { value: 'Ann' }, 'is not known here'],
  ])('are refused with the mistake at %s: %j', async (path, change, message) => {
    await define();
    const { status, json } = await mark(await land(), [{ ...OF_QUESTION, ...PERSON, ...change }]);
    expect(status).toBe(400);
    expect(json.error.details).toContainEqual({ path, message: expect.stringContaining(message) });
  });

  it('are refused where they are too many', async () => {
    await define();
    const marks = Array.from({ length: 2_001 }, () => ({ ...OF_QUESTION, ...PERSON }));
    const { status, json } = await mark(await land(), marks);
    expect([status, json.error.details[0].path]).toEqual([400, 'marks']);
  });

  it('are given by those whom the queue names, for logs of their project', async () => {
    await define({ people: ['ben'] });
    const id = await land();
    expect((await mark(id, [])).json.error.code).toBe('not_assigned');
    expect((await mark(id, [], { key: KEYS.logs })).json.error.code).toBe('insufficient_scope');
    expect((await mark(randomUUID(), [], { key: KEYS.admin })).status).toBe(404);
    expect((await textsOf(randomUUID())).status).toBe(404);
    const foreign = await land({ project_uid: OTHER_PROJECT });
    expect((await mark(foreign, [], { key: KEYS.admin })).status).toBe(404);
    expect((await textsOf(foreign)).status).toBe(404);
  });

  it('belong to queues for them, in which nobody judges answers', async () => {
    await define();
    const id = await land();
    const body = { queue, log_id: id, values: { judgement: 3 } };
    const judged = await api.call('POST', `/${PROJECT}/judgements`, { key: anna, body });
    expect(judged.json.error.details[0]).toMatchObject({ path: 'queue' });
    await define({ task: 'judge' });
    expect((await mark(id, [])).json.error.details[0]).toMatchObject({ path: 'queue' });
    const { status, json } = await define({ dimensions: ['helpful'] });
    expect([status, json.error.details[0].path]).toEqual([400, 'queues.0.dimensions']);
  });

  it('are asked for a random sample of the logs, the same whoever asks', async () => {
    await define({ sample: 0.25 });
    const ids = ['3fffff', '400000', '000000', 'ffffff'].map((end) => `${randomUUID().slice(0, 30)}${end}`);
    for (const _id of ids) await land({ _id });
    const seen = [];
    for (let id = await next(); typeof id === 'string'; id = await next()) {
      seen.push(id);
      await mark(id, []);
    }
    expect(seen.sort()).toEqual([ids[0], ids[2]].sort());
    expect((await define({ sample: 0 })).status).toBe(400);
  });
});
