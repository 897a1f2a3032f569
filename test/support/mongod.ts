import { randomUUID } from 'node:crypto';
import { type Db, MongoClient } from 'mongodb';
import { inject } from 'vitest';
import { findProgram } from '../../src/local/binaries/binaries.js';
import { MONGOD } from '../../src/local/binaries/programs.js';
import { mongodUri } from '../../src/local/parts/mongod.js';
import { startPart } from '../../src/local/processes/part.js';
import { waitFor } from '../../src/local/processes/wait.js';
import { newMongod } from './new-mongod.js';

/** Why no mongod can run here, for `describe.skipIf`; null where one can. */
export const missingMongod: string | null = inject('mongodPort') === null ? inject('missing') : null;

export interface TestDatabase {
  uri: string;
  /** The database itself, for reading it without the store. */
  database: Db;
  drop(): Promise<void>;
}

/** A fresh database of the mongod that the test run shares. */
export async function openTestDatabase(): Promise<TestDatabase> {
  const uri = mongodUri(inject('mongodPort') as number, `test-${randomUUID()}`);
  const client = await new MongoClient(uri).connect();
  return {
    uri,
    database: client.db(),
    drop: async () => {
      await client.db().dropDatabase();
      await client.close();
    },
  };
}

export interface OwnMongod {
  uri: string;
  /** The process id, for stopping and continuing the process. */
  pid: number;
  kill(): Promise<void>;
  /** Starts it again with the same data. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a mongod for a test that will end or stop it: a one-node replica set on a free port. */
export async function startOwnMongod(): Promise<OwnMongod> {
  const binary = await findProgram(MONGOD, { environment: process.env, report: () => {} });
  const { part, port, remove } = await newMongod(binary);
  let child = await startPart(part);
  return {
    uri: mongodUri(port, 'test'),
    get pid() {
      return child.pid;
    },
    async kill() {
      process.kill(child.pid, 'SIGKILL');
      await child.exited;
    },
    async restart() {
      child = await startPart(part);
    },
    async stop() {
      await child.stop(part.stopPatienceMs);
      await remove();
    },
  };
}

/**
 * Adds two members without a vote, so that the first one stays primary without them: one that runs, and one at
 * `absent` that never starts. Resolves after the running member has copied the data.
 */
export async function addMembers(
  primary: OwnMongod,
  absent: string,
): Promise<{ name: string; kill(): Promise<void> }> {
  const binary = await findProgram(MONGOD, { environment: process.env, report: () => {} });
  const { part, port, remove } = await newMongod(binary);
  const name = `127.0.0.1:${port}`;
  const child = await part.spawn();
  const client = new MongoClient(primary.uri);
  try {
    const admin = client.db('admin');
    const { config } = await admin.command({ replSetGetConfig: 1 });
    const added = [name, absent].map((host, index) => ({ _id: 1 + index, host, votes: 0, priority: 0 }));
    const members = [...config.members, ...added];
    await admin.command({ replSetReconfig: { ...config, members, version: config.version + 1 } });
    await waitFor(
      'the new member has the data',
      async () => {
        const status = await admin.command({ replSetGetStatus: 1 });
        return status.members.some(
          (member: Record<string, unknown>) => member.name === name && member.stateStr === 'SECONDARY',
        );
      },
      { timeoutMs: 60_000 },
    );
  } finally {
    await client.close();
  }
  return {
    name,
    async kill() {
      // A mongod that is asked to end waits fifteen seconds for its clients first.
      if (child.running) process.kill(child.pid, 'SIGKILL');
      await child.exited;
      await remove();
    },
  };
}
