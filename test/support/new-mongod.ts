import { mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mongodPart } from '../../src/local/parts/mongod.js';
import { reservePort } from '../../src/local/ports.js';
import type { Part } from '../../src/local/processes/part.js';

export interface NewMongod {
  /** The mongod, which has not been started yet. */
  part: Part;
  port: number;
  /** Deletes its data. Call it after the mongod has ended. */
  remove(): Promise<void>;
}

/** A file system in memory, where Linux has one. Syncing a write costs nothing there. */
const MEMORY = '/dev/shm';
const NEEDED_BYTES = 4 * 2 ** 30;

async function fastestFolder(): Promise<string> {
  const free = await statfs(MEMORY).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  );
  return free >= NEEDED_BYTES ? MEMORY : tmpdir();
}

/** A mongod with its own data on a free port: a replica set of one node. */
export async function newMongod(binary: string): Promise<NewMongod> {
  const folder = await mkdtemp(join(await fastestFolder(), 'sluice-mongod-'));
  const { port, release } = await reservePort();
  const part = mongodPart({
    binary,
    port,
    dataPath: join(folder, 'data'),
    logPath: join(folder, 'mongod.log'),
    ownGroup: false,
    environment: process.env,
  });
  const remove = async () => {
    await release();
    await rm(folder, { recursive: true, force: true });
  };
  return { part, port, remove };
}
