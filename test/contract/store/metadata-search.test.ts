import fc from 'fast-check';
import { v4 } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SluiceError } from '../../../src/core/errors.js';
import type { JsonObject } from '../../../src/core/json.js';
import { tagsOf } from '../../../src/logs/tags.js';
import type { BulkChange } from '../../../src/store/logs/bulk/bulk.js';
import { metadataTerms } from '../../../src/store/logs/search/metadata-terms.js';
import type { LogDocument } from '../../../src/store/mongodb/collections.js';
import type { Store } from '../../../src/store/store.js';
import { logRecord } from '../../support/log-record.js';
import { missingMongod } from '../../support/mongod.js';
import { openTestStore, type TestStore } from '../../support/test-store.js';

const KEYS = ['a', 'b', 'a.b', 'a:b', '$a', '', '0', '__proto__'];
const VALUES = ['v', '1', 1, 1.5, true, 'true', null, 'null', 'b:v', '\ud800', ['v'], { b: 'v' }];
const TAGS = ['a', 'a:v', 'a:1', 'a:true', 'a:b:v', 'b:v', 'a:null', '0:1.5', '["a","v"]', '#a:v', 'other'];
const WRITTEN = ['v', '1', '1.5', 'true', 'null', 'b:v', 'absent'];

const metadata = fc
  .array(fc.tuple(fc.constantFrom(...KEYS), fc.constantFrom(...VALUES)), { maxLength: 4 })
  .map((members) => Object.fromEntries(members) as JsonObject);
const tags = fc.uniqueArray(fc.constantFrom(...TAGS), { maxLength: 3 });
const patch = fc.record({ metadata, tags }, { requiredKeys: [] });
const bulk: fc.Arbitrary<BulkChange> = fc.record(
  { add_tags: tags, remove_tags: tags, set_metadata: metadata, unset_metadata: fc.subarray(KEYS) },
  { requiredKeys: [] },
);
const step = fc.oneof(
  fc.record({ kind: fc.constant('patch' as const), log: fc.nat(), patch }),
  fc.record({ kind: fc.constant('bulk' as const), log: fc.nat(), bulk, undone: fc.boolean() }),
  fc.record({ kind: fc.constant('amend' as const), log: fc.nat(), tags }),
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

describe.skipIf(missingMongod !== null)('the search by metadata', () => {
  let test: TestStore;
  let store: Store;

  beforeAll(async () => {
    test = await openTestStore();
    store = test.store;
  });

  afterAll(() => test.drop());

  const take = async (project_uid: string, ids: string[], change: Step): Promise<void> => {
    const id = ids[change.log % ids.length]!;
    if (change.kind === 'patch') await store.logs.patch({ id, project_uid }, change.patch);
    else if (change.kind === 'amend') {
      await store.logs.amend({ log_id: id, plugin_runs: [], add_tags: change.tags });
    } else {
      const keepAs = v4();
      const target = { ids: ids.slice(change.log % ids.length) };
      await store.jobs.changeLogs(project_uid, { target, change: change.bulk, keepAs });
      if (change.undone) await takeBack(project_uid, keepAs);
    }
  };

  /** What changed nothing cannot be taken back. */
  const takeBack = async (project_uid: string, undo: string): Promise<void> => {
    try {
      await store.jobs.changeLogs(project_uid, { target: { undo }, change: {} });
    } catch (error) {
      if (!(error instanceof SluiceError && error.code === 'not_found')) throw error;
    }
  };

  const findIds = async (project_uid: string, asked: { key: string; values: string[] }[]) => {
    const { logs } = await store.logs.list(project_uid, { metadata: asked }, { limit: 100 });
    return logs.map(({ _id }) => _id).sort();
  };

  it('finds what is in the metadata, whatever was done to metadata and tags, and whichever version wrote the log', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(metadata, tags, fc.boolean()), { minLength: 1, maxLength: 8 }),
        fc.array(step, { maxLength: 12 }),
        async (made, steps) => {
          const project_uid = v4();
          const records = made.map(([metadata, more]) =>
            logRecord({ project_uid, metadata, tags: [...new Set([...tagsOf(metadata), ...more])] }),
          );
          const ids = records.map(({ _id }) => _id);
          await store.logs.insertMany(records);
          const collection = test.database.collection<LogDocument>('logs');
          for (const [at, [metadata, , isOld]] of made.entries()) {
            // As the versions before wrote them: each term beside the tags.
            const terms = { $set: { _metadata_terms: metadataTerms(metadata) } };
            if (isOld) await collection.updateOne({ _id: ids[at] }, terms);
          }
          for (const one of steps) await take(project_uid, ids, one);

          const now = await Promise.all(ids.map((id) => store.logs.get({ id, project_uid })));
          const says = (log: (typeof now)[number], key: string, written: string) => {
            const value = Object.hasOwn(log!.metadata, key) ? log!.metadata[key] : {};
            return (typeof value !== 'object' || value === null) && String(value) === written;
          };
          for (const key of KEYS) {
            for (const written of WRITTEN) {
              const expected = now.filter((log) => says(log, key, written)).map((log) => log!._id);
              expect(await findIds(project_uid, [{ key, values: [written] }])).toEqual(expected.sort());
            }
          }
          const both = [
            { key: 'a', values: ['v', '1', 'true'] },
            { key: 'b', values: WRITTEN },
          ];
          const expected = now.filter((log) =>
            both.every(({ key, values }) => values.some((value) => says(log, key, value))),
          );
          expect(await findIds(project_uid, both)).toEqual(expected.map((log) => log!._id).sort());
        },
      ),
      { numRuns: 12 },
    ));

  it('needs no search terms besides the tags of a new log', async () => {
    const metadata = { user: 'u1', n: 1, beta: true, long: 'x'.repeat(300) };
    const record = logRecord({ project_uid: v4(), metadata, tags: tagsOf(metadata) });
    await store.logs.insertMany([record]);
    const document = await test.database.collection<LogDocument>('logs').findOne({ _id: record._id });
    expect(document).not.toHaveProperty('_metadata_terms');
  });
});
