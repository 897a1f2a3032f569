import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { findProgram } from '../../../src/local/binaries/binaries.js';
import { MONGOD } from '../../../src/local/binaries/programs.js';
import { keepMongodKey } from '../../../src/local/kept-secrets.js';
import { mongodPart, mongodUri } from '../../../src/local/parts/mongod.js';
import { reservePort } from '../../../src/local/ports.js';
import { startPart } from '../../../src/local/processes/part.js';
import { missingPrograms } from '../../support/start-sluice.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

async function expectNoEntry(uri: string): Promise<void> {
  const stranger = new MongoClient(uri);
  try {
    await expect(stranger.db().collection('rounds').countDocuments()).rejects.toThrow(
      'requires authentication',
    );
  } finally {
    await stranger.close();
  }
}

describe.skipIf(missingPrograms !== null)('a mongod of our own', () => {
  it.each([
    ['', false],
    [', with a password', true],
  ])('has its data after a restart, also on another port%s', async (_name, isLocked) => {
    const directory = await temporaryDirectory();
    const key = isLocked ? await keepMongodKey(directory) : undefined;
    const binary = await findProgram(MONGOD, { environment: process.env, report: () => {} });
    for (const round of [0, 1]) {
      const { port, release } = await reservePort();
      const part = mongodPart({
        binary,
        port,
        dataPath: join(directory, 'data'),
        logPath: join(directory, 'mongod.log'),
        ownGroup: false,
        environment: process.env,
        key,
      });
      const child = await startPart(part);
      const client = new MongoClient(mongodUri(port, 'kept', key?.password));
      const rounds = client.db().collection<{ _id: number }>('rounds');
      expect(await rounds.countDocuments()).toBe(round);
      await rounds.insertOne({ _id: round }, { writeConcern: { w: 'majority' } });
      await client.close();
      if (isLocked) await expectNoEntry(mongodUri(port, 'kept'));
      expect(await child.stop(part.stopPatienceMs)).toEqual({ code: 0, signal: null });
      await release();
    }
  });
});
