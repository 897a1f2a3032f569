import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type AdminApi, KEYS, openAdminApi, PROJECT } from '../../support/admin-api.js';
import { logRecord } from '../../support/log-record.js';
import { missingMongod } from '../../support/mongod.js';

const HELPFUL = { name: 'helpful', help: 'Does it answer?', scale: { min: 1, max: 5, low: 'not at all' } };
const TONE = {
  name: 'tone',
  weight: 0.5,
  categories: [{ name: 'polite', score: 1 }, { name: 'rude', score: -1 }, { name: 'cannot say' }],
};

describe.skipIf(missingMongod !== null)('judging', () => {
  let api: AdminApi;
  let anna: string;
  let ben: string;
  let tag: string;
  let queue: string;

  beforeAll(async () => {
    api = await openAdminApi();
    [anna, ben] = (await Promise.all(['anna', 'ben'].map(keyOf))) as [string, string];
  });

  afterAll(() => api.close());

  beforeEach(() => {
    tag = `judged:${randomUUID()}`;
    queue = `q${randomUUID()}`;
  });

  async function keyOf(name: string): Promise<string> {
    const body = { name, scopes: ['feedback', 'logs'] };
    const { json } = await api.call('POST', `/api/projects/${PROJECT}/api-keys`, { key: KEYS.admin, body });
    return json.key;
  }

  const read = () => api.call('GET', `/${PROJECT}/judging`);
  async function define(judging: object, version?: string) {
    const etag = version ?? String((await read()).headers.etag);
    const options = { key: KEYS.admin, body: judging, headers: { 'if-match': etag } };
    return api.call('PUT', `/${PROJECT}/judging`, options);
  }
  const defineQueue = (more: object = {}) =>
    define({
      dimensions: [HELPFUL, TONE],
      queues: [{ name: queue, filter: { tags_any: tag }, dimensions: ['helpful', 'tone'], ...more }],
    });

  /** Logs of this test, newest first. */
  async function land(count: number, more: object = {}): Promise<string[]> {
    const records = Array.from({ length: count }, (_, index) =>
      logRecord({
        project_uid: PROJECT,
        tags: [tag],
        created_at: new Date(Date.now() - 1000 * index),
        ...more,
      }),
    );
    await api.store.logs.insertMany(records);
    return records.map(({ _id }) => _id);
  }

  const next = async (key: string) => {
    const { status, json } = await api.call('POST', `/${PROJECT}/queue/next`, { key, body: { queue } });
    return status === 200 ? { id: json.log.id, left: json.left } : status;
  };
  const judge = (key: string, log_id: string, values: object, more: object = {}) =>
    api.call('POST', `/${PROJECT}/judgements`, { key, body: { queue, log_id, values, ...more } });
  const signals = async (id: string) => (await api.call('GET', `/${PROJECT}/logs/${id}/feedback`)).json.data;
  const logOf = async (id: string) => (await api.call('GET', `/${PROJECT}/logs/${id}`)).json;

  describe('is defined by a project', () => {
    it('as dimensions and queues, which are replaced as a whole by one who read them, and shown to those who may read logs', async () => {
      const { status, headers } = await defineQueue({
        rubric: '# Read it twice',
        people: ['anna'],
        judges: 2,
      });
      expect(status).toBe(200);
      const known = await api.call('GET', `/${PROJECT}/judging`, { key: anna });
      expect(known.headers.etag).toBe(headers.etag);
      expect(known.json).toEqual({
        dimensions: [HELPFUL, TONE],
        queues: [
          {
            name: queue,
            filter: { tags_any: tag },
            rubric: '# Read it twice',
            dimensions: ['helpful', 'tone'],
            people: ['anna'],
            judges: 2,
          },
        ],
      });
      expect((await define({ dimensions: [], queues: [] }, '"r0"')).status).toBe(412);
      const unversioned = { key: KEYS.admin, body: { dimensions: [], queues: [] } };
      expect((await api.call('PUT', `/${PROJECT}/judging`, unversioned)).status).toBe(428);
      const audit = await api.call('GET', `/api/audit?project_uid=${PROJECT}&limit=1`, { key: KEYS.admin });
      expect(audit.json.data[0]).toMatchObject({
        action: expect.stringMatching(/^judging\./),
        actor: 'root',
      });
    });

    it.each([
      ['dimensions.0', { name: 'a' }, 'needs either a `scale` or `categories`'],
      ['dimensions.0', { ...HELPFUL, categories: TONE.categories }, 'needs either a `scale` or `categories`'],
      ['dimensions.0.scale.min', { name: 'a', scale: { min: 3, max: 3 } }, 'is not below `max`'],
      [
        'dimensions.0.name',
        { ...HELPFUL, name: 'judgement' },
        'is reserved: it is asked where a queue has no dimensions',
      ],
      ['dimensions.0.name', { ...HELPFUL, name: 'a.b' }, 'must have this form'],
      [
        'dimensions.0.categories.1.name',
        { name: 'a', categories: [{ name: 'x' }, { name: 'x' }] },
        'is there twice',
      ],
    ])('and refused with the mistake at %s: %j', async (path, dimension, message) => {
      const { status, json } = await define({ dimensions: [dimension], queues: [] });
      expect(status).toBe(400);
      expect(json.error.details).toContainEqual({ path, message: expect.stringContaining(message) });
    });

    it.each([
      ['queues.0.dimensions.0', { dimensions: ['none'] }, 'there is no dimension "none"'],
      ['queues.0.filter.from', { filter: { from: '2026-02-02', to: '2026-01-01' } }, 'is after `to`'],
      ['queues.0.judges', { judges: 0 }, '>= 1'],
    ])('without the mistake at %s: %j', async (path, more, message) => {
      const { status, json } = await defineQueue(more);
      expect(status).toBe(400);
      expect(json.error.details).toContainEqual({ path, message: expect.stringContaining(message) });
    });
  });

  describe('a log of a queue', () => {
    it('becomes feedback for each dimension, with the name of the judge, and is in exports', async () => {
      await defineQueue();
      const [id] = (await land(1)) as [string];
      expect(await next(anna)).toEqual({ id, left: 1 });
      const better = { role: 'assistant', content: 'Better.' };
      const more = { comment: 'Short and right.', improvement: better };
      expect((await judge(anna, id, { helpful: 4, tone: 'rude' }, more)).status).toBe(200);
      const common = { signal_source: 'user', signal_type: 'explicit', log_id: id };
      expect(await signals(id)).toEqual([
        expect.objectContaining({
          ...common,
          signal_name: 'helpful',
          score: 0.5,
          weight: 1,
          qualitative_feedback: 'Short and right.',
          improvement: better,
          metadata: { annotator: 'anna', queue, value: 4 },
        }),
        expect.objectContaining({
          ...common,
          signal_name: 'tone',
          score: -1,
          weight: 0.5,
          qualitative_feedback: null,
          improvement: null,
          metadata: { annotator: 'anna', queue, value: 'rude' },
        }),
      ]);
      expect(await logOf(id)).toMatchObject({ feedback_count: 2, score: 0 });
      const sft = await api.call('GET', `/${PROJECT}/exports/sft.jsonl?tags_any=${tag}`);
      const line = JSON.parse(sft.text);
      expect(line.messages.at(-1).content).toBe('Better.');
      expect(line.provenance.signals).toEqual([
        expect.objectContaining({ signal_name: 'helpful', value: 4, annotator: 'anna', queue }),
        expect.objectContaining({ signal_name: 'tone', value: 'rude', annotator: 'anna', queue }),
      ]);
    });

    it('is not changed itself by being judged', async () => {
      await defineQueue();
      const [id] = (await land(1)) as [string];
      await judge(anna, id, { helpful: 1, tone: 'polite' });
      const { json } = await api.call('GET', `/${PROJECT}/logs?tags_any=${tag}`);
      for (const log of [await logOf(id), json.data[0]])
        expect(Object.keys(log).filter((name) => name.startsWith('_') && name !== '_id')).toEqual([]);
    });

    it('is judged by as many different people as the queue asks for, once by each', async () => {
      await defineQueue({ judges: 2 });
      const [first, second] = (await land(2)) as [string, string];
      const values = { helpful: 3, tone: 'polite' };
      await judge(anna, first, values);
      expect(await next(anna)).toEqual({ id: second, left: 1 });
      expect((await judge(anna, first, values)).json.error.code).toBe('already_judged');
      expect(await signals(first)).toHaveLength(2);
      // Anna has the second one.
      expect(await next(ben)).toEqual({ id: first, left: 1 });
      await judge(ben, first, values);
      expect((await next(KEYS.all)) as unknown).toBe(204);
      await judge(anna, second, values);
      expect(await next(KEYS.all)).toEqual({ id: second, left: 1 });
    });

    it('stays in a named queue though somebody rated it, or gave other feedback', async () => {
      await defineQueue();
      const [id] = (await land(1)) as [string];
      await api.call('PATCH', `/log/${id}`, { body: { quality_rating: '👍' } });
      await api.call('POST', `/${PROJECT}/feedback/${id}`, { body: { score: 1, weight: 1 } });
      expect(await next(anna)).toEqual({ id, left: 1 });
    });

    it('comes back when its judgement is removed, which only its author or an admin can do', async () => {
      await defineQueue();
      const [id] = (await land(1)) as [string];
      const { json } = await judge(anna, id, { helpful: 5, tone: 'polite' });
      expect(await next(ben)).toBe(204);
      const remove = (key: string) => api.call('DELETE', `/${PROJECT}/judgements/${json.id}`, { key });
      expect((await remove(ben)).status).toBe(404);
      expect((await remove(anna)).status).toBe(204);
      expect(await logOf(id)).toMatchObject({ feedback_count: 0, score: null });
      expect(await next(ben)).toEqual({ id, left: 1 });
      const again = await judge(ben, id, { helpful: 5, tone: 'polite' });
      const byAdmin = `/${PROJECT}/judgements/${again.json.id}`;
      expect((await api.call('DELETE', byAdmin, { key: KEYS.admin })).status).toBe(204);
      expect(await signals(id)).toEqual([]);
    });

    it('loses one answer when the feedback of that answer is removed, and with the last one the judgement', async () => {
      await defineQueue();
      const [id] = (await land(1)) as [string];
      await judge(anna, id, { helpful: 5, tone: 'rude' });
      const remove = (signal: string) =>
        api.call('DELETE', `/${PROJECT}/logs/${id}/feedback/${signal}`, { key: anna });
      const values = async () =>
        (await api.call('GET', `/${PROJECT}/agreement?queue=${queue}`)).json.data.map(
          ({ dimension, judgements }: { dimension: string; judgements: number }) => [dimension, judgements],
        );
      const [helpful, tone] = await signals(id);
      expect((await remove(tone.id)).status).toBe(204);
      expect(await values()).toEqual([['helpful', 1]]);
      expect(await logOf(id)).toMatchObject({ feedback_count: 1, score: 1 });
      expect(await next(ben)).toBe(204);
      expect((await remove(helpful.id)).status).toBe(204);
      expect(await values()).toEqual([]);
      expect(await next(anna)).toEqual({ id, left: 1 });
      expect((await judge(anna, id, { helpful: 4, tone: 'polite' })).status).toBe(200);
    });

    it.each([
      [{ helpful: 6, tone: 'polite' }, 'values.helpful', 'must be a whole number from 1 to 5'],
      [{ helpful: 1, tone: 'loud' }, 'values.tone', 'must be one of "polite", "rude", "cannot say"'],
      [{ helpful: 1 }, 'values.tone', 'is missing'],
      [{ helpful: 1, tone: 'rude', depth: 1 }, 'values.depth', 'is no dimension of this queue'],
    ])('cannot be judged with %j', async (values, path, message) => {
      await defineQueue();
      const [id] = (await land(1)) as [string];
      const { status, json } = await judge(anna, id, values);
      expect([status, json.error.details]).toEqual([400, [{ path, message }]]);
      expect(await signals(id)).toEqual([]);
    });

    it('is shown to, and judged by, the people that the queue names, and admins', async () => {
      await defineQueue({ people: ['ben'] });
      const [id] = (await land(1)) as [string];
      const { status, json } = await api.call('POST', `/${PROJECT}/queue/next`, {
        key: anna,
        body: { queue },
      });
      expect([status, json.error.code]).toEqual([403, 'not_assigned']);
      expect((await judge(anna, id, { helpful: 1, tone: 'rude' })).json.error.code).toBe('not_assigned');
      expect(await next(ben)).toEqual({ id, left: 1 });
      expect((await judge(KEYS.admin, id, { helpful: 1, tone: 'rude' })).status).toBe(200);
    });

    it('has one question in a queue without dimensions', async () => {
      await defineQueue({ dimensions: [] });
      const [id] = (await land(1)) as [string];
      await judge(anna, id, { judgement: 2 });
      expect(await signals(id)).toMatchObject([{ signal_name: 'judgement', score: -0.5 }]);
    });

    it('of another project, or that does not exist, is not found, and nothing is stored', async () => {
      await defineQueue();
      const { status } = await judge(anna, randomUUID(), { helpful: 1, tone: 'rude' });
      expect(status).toBe(404);
      const unknown = await api.call('POST', `/${PROJECT}/queue/next`, { body: { queue: 'nowhere' } });
      expect(unknown.status).toBe(404);
      const both = await api.call('POST', `/${PROJECT}/queue/next`, { body: { queue, filter: {} } });
      expect(both.json.error.message).toContain('either `filter` or `queue`');
    });
  });

  describe('a pair of answers', () => {
    const choose = (key: string, left: string, right: string, choice: string) =>
      api.call('POST', `/${PROJECT}/pairs/judgements`, {
        key,
        body: { left, right, choice, comment: 'So.' },
      });

    it.each([
      ['left', [1, -1], [1, -1]],
      ['right', [-1, 1], [-1, 1]],
      ['tie', [0, 0], [null, null]],
      ['both_bad', [-1, -1], [-1, -1]],
    ])('gives both logs feedback for %s: %j', async (choice, scores, ofLogs) => {
      const [left, right] = (await land(2)) as [string, string];
      expect((await choose(anna, left, right, choice)).status).toBe(200);
      const given = [(await signals(left))[0], (await signals(right))[0]];
      expect(given.map(({ score }) => score)).toEqual(scores);
      expect(given[0]).toMatchObject({
        signal_name: 'pairwise_comparison',
        qualitative_feedback: 'So.',
        metadata: { annotator: 'anna', compared_with: right },
      });
      expect([(await logOf(left)).score, (await logOf(right)).score]).toEqual(ofLogs);
    });

    it('is judged once by each person, whichever answer is on the left, and the list says so', async () => {
      const [left, right] = (await land(2, { request: { messages: [{ role: 'user', content: tag }] } })) as [
        string,
        string,
      ];
      await choose(anna, left, right, 'left');
      expect((await choose(anna, right, left, 'left')).json.error.code).toBe('already_judged');
      const judged = async (key: string) =>
        (await api.call('GET', `/${PROJECT}/pairs?tags_any=${tag}`, { key })).json.data[0].judged;
      expect((await judged(anna)).map((pair: string[]) => pair.sort())).toEqual([[left, right].sort()]);
      expect(await judged(ben)).toEqual([]);
      expect((await choose(ben, left, left, 'tie')).status).toBe(400);
    });

    it('loses the whole choice when the feedback of one log is removed', async () => {
      const [left, right] = (await land(2)) as [string, string];
      await choose(anna, left, right, 'left');
      const [signal] = await signals(right);
      const path = `/${PROJECT}/logs/${right}/feedback/${signal.id}`;
      expect((await api.call('DELETE', path, { key: anna })).status).toBe(204);
      expect([await signals(left), await signals(right)]).toEqual([[], []]);
      expect(await logOf(left)).toMatchObject({ feedback_count: 0, score: null });
      expect((await choose(anna, left, right, 'right')).status).toBe(200);
    });

    it('records nothing where one of its logs does not exist', async () => {
      const [left] = (await land(1)) as [string];
      expect((await choose(anna, left, randomUUID(), 'left')).status).toBe(404);
      expect(await signals(left)).toEqual([]);
    });
  });

  it('tells how far people agree in each dimension', async () => {
    await defineQueue({ judges: 2 });
    const ids = await land(4);
    const given: [number, string, number, string][] = [
      [1, 'polite', 1, 'polite'],
      [2, 'rude', 2, 'polite'],
      [5, 'rude', 4, 'rude'],
    ];
    for (const [index, [one, oneTone, other, otherTone]] of given.entries()) {
      await judge(anna, ids[index]!, { helpful: one, tone: oneTone });
      await judge(ben, ids[index]!, { helpful: other, tone: otherTone });
    }
    await judge(anna, ids[3]!, { helpful: 3, tone: 'rude' });
    const { json } = await api.call('GET', `/${PROJECT}/agreement?queue=${queue}`);
    const common = { units: 3, values: 6, people: 2, judgements: 7 };
    // By hand: observed 2/6 and expected 2·(6·51−15²)/5/6 for the scale, observed 2/6 and expected 18/5/6 for the tone.
    expect(json.data).toEqual([
      { dimension: 'helpful', metric: 'interval', alpha: 0.9383, ...common },
      { dimension: 'tone', metric: 'nominal', alpha: 0.4444, ...common },
    ]);
    expect((await api.call('GET', `/${PROJECT}/agreement?to=2020-01-01`)).json.data).toEqual([]);
  });
});
