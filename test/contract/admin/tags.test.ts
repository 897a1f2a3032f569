import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TagDeltas } from '../../../src/store/counts/tag-deltas.js';
import { collectionsOf } from '../../../src/store/mongodb/collections.js';
import { inTransaction } from '../../../src/store/mongodb/transaction.js';
import { type AdminApi, openAdminApi, PROJECT } from '../../support/admin-api.js';
import { logRecord } from '../../support/log-record.js';
import { missingMongod, openTestDatabase } from '../../support/mongod.js';

describe.skipIf(missingMongod !== null)('the list of tags', () => {
  let api: AdminApi;

  beforeAll(async () => {
    api = await openAdminApi();
  });

  afterAll(() => api.close());

  const counts = async (query = '') => {
    const answer = await api.call('GET', `/${PROJECT}/tags${query}`);
    return answer.json.data.map(({ tag, count }: { tag: string; count: number }) => `${tag} ${count}`);
  };

  it('follows logs that are made, patched and amended', async () => {
    const records = [['a', 'b'], ['a', '$c.d'], ['a'], []].map((tags) => logRecord({ tags }));
    await api.store.logs.insertMany(records);
    expect(await counts()).toEqual(['a 3', '$c.d 1', 'b 1']);
    await api.call('PATCH', `/log/${records[0]?._id}`, { body: { metadata_tags: ['b', 'e'] } });
    await api.store.logs.amend({ log_id: records[3]?._id as string, plugin_runs: [], add_tags: ['b'] });
    expect(await counts()).toEqual(['a 2', 'b 2', '$c.d 1', 'e 1']);
    await api.call('PATCH', `/log/${records[0]?._id}`, { body: { metadata_tags: [] } });
    expect(await counts()).toEqual(['a 2', '$c.d 1', 'b 1']);
  });

  it('counts a log once, though several count at the same time', async () => {
    const records = Array.from({ length: 700 }, () => logRecord({ tags: ['many'] }));
    await api.store.logs.insertMany(records);
    await Promise.all([api.store.tags.apply(), api.store.tags.apply(), counts()]);
    await api.store.tags.apply();
    expect(await counts('?prefix=many')).toEqual(['many 700']);
  });

  it('counts each log once, though it is sent again alone or with new ones', async () => {
    const [old, other, fresh] = ['a', 'b', 'c'].map((tag) =>
      logRecord({ tags: ['landed', `landed:${tag}`] }),
    );
    await api.store.logs.insertMany([old!, other!]);
    await api.store.logs.insertMany([old!, other!]);
    await api.store.logs.insertMany([other!, fresh!]);
    await api.store.logs.insertMany([fresh!]);
    expect(await counts('?prefix=landed')).toEqual(['landed 3', 'landed:a 1', 'landed:b 1', 'landed:c 1']);
  });

  it('stays right where the tags of a log change before it is counted', async () => {
    const records = [1, 2].map(() => logRecord({ tags: ['early'] }));
    await api.store.logs.insertMany(records);
    await api.call('PATCH', `/log/${records[0]!._id}`, { body: { metadata_tags: ['early:later'] } });
    await Promise.all([api.store.tags.apply(), api.store.tags.apply()]);
    expect(await counts('?prefix=early')).toEqual(['early 1', 'early:later 1']);
  });

  it('adds and removes the counts of a log with more tags than fit into one transaction', async () => {
    const tags = Array.from({ length: 2_500 }, (_, index) => `step:${index}`);
    const [large, small] = [logRecord({ tags }), logRecord({ tags: ['step:0'] })];
    await api.store.logs.insertMany([large, small]);
    await api.store.tags.apply();
    expect(await counts('?prefix=step:&limit=1')).toEqual(['step:0 2']);
    expect(await counts('?prefix=step:2499')).toEqual(['step:2499 1']);
    await api.call('PATCH', `/log/${large._id}`, { body: { metadata_tags: ['step:1', 'step:new'] } });
    await api.store.tags.apply();
    expect(await counts('?prefix=step:')).toEqual(['step:0 1', 'step:1 1', 'step:new 1']);
  });

  it('completes a prefix, without wildcards', async () => {
    await api.store.logs.insertMany([
      logRecord({ tags: ['p:1', 'p:2', 'p.x', 'q'] }),
      logRecord({ tags: ['p:2'] }),
    ]);
    expect(await counts('?prefix=p:')).toEqual(['p:2 2', 'p:1 1']);
    expect(await counts('?prefix=p.')).toEqual(['p.x 1']);
    expect(await counts('?prefix=%5Ep')).toEqual([]);
  });

  it('continues page by page', async () => {
    const all = await counts();
    const first = await api.call('GET', `/${PROJECT}/tags?limit=3`);
    const rest = await counts(`?cursor=${first.json.next_cursor}`);
    expect(rest).toEqual(all.slice(3));
  });

  it('stops adding new tags when the project has the most that are counted, and goes on counting the others', async () => {
    const { database, drop } = await openTestDatabase();
    const collections = collectionsOf(database.client, database, () => false);
    const count = (changes: Record<string, number>) =>
      inTransaction(database.client, (session) => {
        const deltas = new TagDeltas();
        for (const [tag, change] of Object.entries(changes)) deltas.add(PROJECT, [tag], change);
        return deltas.apply(collections, session, 3);
      });
    await count({ a: 1, b: 2, c: 1 });
    await count({ a: 4, d: 1, e: 1 });
    await count({ d: -1, c: -1 });
    await count({ f: 1 });
    const found = await collections.tags.find().sort({ tag: 1 }).toArray();
    expect(found.map(({ tag, count: number }) => `${tag} ${number}`)).toEqual(['a 5', 'b 2', 'f 1']);
    await drop();
  });
});
