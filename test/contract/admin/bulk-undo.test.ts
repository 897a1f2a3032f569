import { v4 } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toSignal } from '../../../src/admin/schemas/feedback-signal.js';
import type { JobDocument } from '../../../src/store/mongodb/collections.js';
import { type AdminApi, OTHER_PROJECT, openAdminApi, PROJECT } from '../../support/admin-api.js';
import { logRecord } from '../../support/log-record.js';
import { missingMongod } from '../../support/mongod.js';

describe.skipIf(missingMongod !== null)('taking a bulk change back', () => {
  let api: AdminApi;

  beforeAll(async () => {
    api = await openAdminApi();
  });

  afterAll(() => api.close());

  const bulk = (body: unknown) => api.call('POST', `/${PROJECT}/logs/bulk`, { body });
  const undo = (id: string, project = PROJECT) =>
    api.call('POST', `/${project}/logs/bulk/${id}/undo`, { key: 'sk-admin' });
  const read = (id: string) => api.store.logs.get({ id });

  async function land(count: number, changes = {}): Promise<string[]> {
    const records = Array.from({ length: count }, () => logRecord(changes));
    await api.store.logs.insertMany(records);
    return records.map((record) => record._id);
  }

  it('restores the former values of each log, in more than one batch, and only once', async () => {
    const plain = await land(150, { tags: ['undo'], metadata: { a: 1, __proto__x: 2 } });
    const tagged = await land(1, { tags: ['undo', 'new'], metadata: { a: 5 }, quality_rating: '👎' });
    const ids = [...plain, ...tagged];
    const before = await Promise.all(ids.map(read));
    const change = { add_tags: ['new'], set_metadata: { a: 7 }, unset_metadata: ['b'], quality_rating: '👍' };
    const { json } = await bulk({ filter: { tags_any: ['undo'] }, ...change, undoable: true });
    expect(json).toEqual({ matched: 151, changed: 151, change_id: expect.any(String) });
    expect((await undo(json.change_id)).json).toEqual({ matched: 151, changed: 151 });
    expect(await Promise.all(ids.map(read))).toEqual(before);
    const again = await undo(json.change_id);
    expect([again.status, again.json.error.code]).toEqual([404, 'not_found']);
    expect(again.json.error.message).toContain('undone already');
  });

  it('is refused for a change that does not exist', async () => {
    const id = v4();
    const { status, json } = await undo(id);
    expect([status, json.error.code]).toEqual([404, 'not_found']);
    expect(json.error.message).toContain(id);
  });

  it('leaves a field alone that was changed again since then', async () => {
    const [first, second] = (await land(2, { tags: ['a'] })) as [string, string];
    const { json } = await bulk({
      ids: [first, second],
      add_tags: ['b'],
      quality_rating: '👎',
      undoable: true,
    });
    await api.store.logs.patch({ id: first }, { tags: ['mine'] });
    await undo(json.change_id);
    expect(await read(first)).toMatchObject({ tags: ['mine'], quality_rating: null });
    expect(await read(second)).toMatchObject({ tags: ['a'], quality_rating: null });
  });

  it('corrects the counts of tags', async () => {
    const ids = await land(3, { tags: ['counted'] });
    const { json } = await bulk({ ids, add_tags: ['for-a-moment'], undoable: true });
    await undo(json.change_id);
    await api.store.tags.apply();
    const { tags } = await api.store.tags.list(PROJECT, { prefix: 'for-a', limit: 5 });
    expect(tags).toEqual([]);
  });

  it('removes the feedback that the change gave, and keeps that of others', async () => {
    const ids = await land(3, { tags: ['judged'] });
    await api.store.feedback.record({
      project_uid: PROJECT,
      log_id: ids[0] as string,
      signal: { ...toSignal({ score: -1, weight: 1 }) },
    });
    const feedback = { score: 1, weight: 1, qualitative_feedback: 'Right.' };
    const { json } = await bulk({ ids, feedback, undoable: true });
    expect(json).toMatchObject({ matched: 3, changed: 3 });
    expect((await Promise.all(ids.map(read))).map((log) => log?.score)).toEqual([0, 1, 1]);
    expect((await undo(json.change_id)).json).toEqual({ matched: 3, changed: 3 });
    expect((await Promise.all(ids.map(read))).map((log) => [log?.score, log?.feedback_count])).toEqual([
      [-1, 1],
      [null, 0],
      [null, 0],
    ]);
    const left = await api.store.feedback.ofLogs(PROJECT, ids);
    expect(left.map(({ score }) => score)).toEqual([-1]);
  });

  it.each(['', ' of an older version'])(
    'is refused while a job%s is still making the change',
    async (which) => {
      const change_id = v4();
      const jobs = api.test.database.collection<JobDocument>('jobs');
      const request = JSON.stringify({ target: { ids: [] }, change: {}, keepAs: change_id });
      const job = {
        project_uid: PROJECT,
        ...(which === '' ? { change_id } : {}),
        request,
        state: 'running',
        lease_until: new Date(Date.now() + 600_000),
        created_at: new Date(),
        updated_at: new Date(),
      };
      await jobs.insertOne({ _id: v4(), ...job } as JobDocument);
      const refused = await undo(change_id);
      expect([refused.status, refused.json.error.code]).toEqual([409, 'still_running']);
      await jobs.updateOne({ request }, { $set: { state: 'done' } });
      expect((await undo(change_id)).status).toBe(404);
    },
  );

  it('is possible only for the project of the change, and only where an undo was asked for', async () => {
    const ids = await land(1);
    expect((await bulk({ ids, add_tags: ['x'] })).json).toEqual({ matched: 1, changed: 1 });
    const { json } = await bulk({ ids, add_tags: ['y'], undoable: true });
    expect((await undo(json.change_id, OTHER_PROJECT)).status).toBe(404);
    expect((await read(ids[0] as string))?.tags).toContain('y');
  });
});
