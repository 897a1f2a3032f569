import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
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
import { temporaryFolder } from '../../support/temporary-folder.js';

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

/** A way to `target` that breaks off the first connection that says `word`. */
async function startBreakingProxy(port: number, target: number, word: string) {
  let isBroken = false;
  const server = createServer((near) => {
    const far = connect(target, '127.0.0.1');
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on('error', () => to.destroy());
      from.on('close', () => to.destroy());
    }
    near.on('data', (chunk) => {
      if (isBroken || !chunk.includes(word)) return void far.write(chunk);
      isBroken = true;
      near.destroy();
    });
    far.pipe(near);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return { isBroken: () => isBroken, close: () => server.close() };
}

describe.skipIf(missingPrograms !== null)('a mongod of our own', () => {
  it.each([
    ['', false],
    [', with a password', true],
  ])('keeps its data after a restart, also on another port%s', async (_name, isLocked) => {
    const folder = await temporaryFolder();
    const key = isLocked ? await keepMongodKey(folder) : undefined;
    if (key !== undefined) expect((await stat(key.path)).mode & 0o777).toBe(0o600);
    const binary = await findProgram(MONGOD, { environment: process.env, report: () => {} });
    for (const round of [0, 1]) {
      const { port, release } = await reservePort();
      const part = mongodPart({
        binary,
        port,
        dataPath: join(folder, 'data'),
        logPath: join(folder, 'mongod.log'),
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

  it.each(['replSetInitiate', 'createUser'])(
    'becomes ready though a connection breaks at %s',
    async (word) => {
      const folder = await temporaryFolder();
      const [own, outer] = [await reservePort(), await reservePort()];
      const options = {
        binary: await findProgram(MONGOD, { environment: process.env, report: () => {} }),
        dataPath: join(folder, 'data'),
        logPath: join(folder, 'mongod.log'),
        ownGroup: false,
        environment: process.env,
        key: await keepMongodKey(folder),
      };
      const proxy = await startBreakingProxy(outer.port, own.port, word);
      const part = mongodPart({ ...options, port: outer.port });
      const child = await startPart({ ...part, spawn: mongodPart({ ...options, port: own.port }).spawn });
      expect(proxy.isBroken()).toBe(true);
      expect(await child.stop(part.stopPatienceMs)).toEqual({ code: 0, signal: null });
      proxy.close();
      await Promise.all([own.release(), outer.release()]);
    },
  );
});
