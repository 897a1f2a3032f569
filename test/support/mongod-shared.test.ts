import { MongoClient } from 'mongodb';
import { describe, expect, inject, it } from 'vitest';
import { mongodUri } from '../../src/local/parts/mongod.js';

describe.skipIf(inject('missing') !== null)('the mongod of a test run', () => {
  it('takes majority writes, since it is a replica set', async () => {
    const client = new MongoClient(mongodUri(inject('mongodPort') as number, 'test-shared-mongod'));
    const signals = client.db().collection<{ _id: number }>('signals');
    await signals.insertOne({ _id: 1 }, { writeConcern: { w: 'majority', journal: true } });
    expect(await signals.findOne({ _id: 1 }, { readConcern: 'majority' })).toEqual({ _id: 1 });
    await client.db().dropDatabase();
    await client.close();
  });
});
