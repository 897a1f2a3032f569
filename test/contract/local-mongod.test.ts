import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { findProgram } from '../../src/local/binaries/binaries.js';
import { MONGOD } from '../../src/local/binaries/programs.js';
import { mongodPart, mongodUri } from '../../src/local/parts/mongod.js';
import { reservePort } from '../../src/local/ports.js';
import { startPart } from '../../src/local/processes/part.js';
import { missingPrograms } from '../support/start-sluice.js';
import { temporaryDirectory } from '../support/temporary-directory.js';

describe.skipIf(missingPrograms !== null)('a mongod of our own', () => {
  it('has its data after a restart, also on another port', async () => {
    const directory = await temporaryDirectory();
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
      });
      const child = await startPart(part);
      const client = new MongoClient(mongodUri(port, 'kept'));
      const rounds = client.db().collection<{ _id: number }>('rounds');
      expect(await rounds.countDocuments()).toBe(round);
      await rounds.insertOne({ _id: round }, { writeConcern: { w: 'majority' } });
      await client.close();
      expect(await child.stop(part.stopPatienceMs)).toEqual({ code: 0, signal: null });
      await release();
    }
  });
});
