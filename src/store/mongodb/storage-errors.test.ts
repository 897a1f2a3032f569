import { MongoBulkWriteError, type MongoClient } from 'mongodb';
import { expect, it } from 'vitest';
import { createGuard } from './storage-errors.js';

const guarded = createGuard({ connect: async () => undefined } as unknown as MongoClient);

it('repeats what MongoDB said about a bulk write, and nothing of its documents', async () => {
  const op = { updateOne: { filter: {}, update: { $set: { request: 'a secret of a client' } } } };
  const writeErrors = [{ index: 0, code: 388, errmsg: 'transaction is too large', op }] as never;
  const refused = new MongoBulkWriteError({ message: 'transaction is too large', code: 388, writeErrors }, {
    insertedCount: 0,
  } as never);
  const thrown: Error & { code?: number } = await guarded(() => Promise.reject(refused)).catch(
    (error) => error,
  );
  expect([thrown.message, thrown.code]).toEqual(['transaction is too large', 388]);
  expect(JSON.stringify({ ...thrown })).not.toContain('secret');
});

it.each([
  ['is broken', 'EPIPE'],
  ['was reset', 'ECONNRESET'],
  ['was closed before', 'ERR_STREAM_DESTROYED'],
])('takes an error of Node about a connection that %s for an outage', async (_what, code) => {
  const broken = Object.assign(new Error('write failed'), { code });
  await expect(guarded(() => Promise.reject(broken))).rejects.toMatchObject({ code: 'storage_unavailable' });
});
