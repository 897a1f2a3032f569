import { MongoServerError } from 'mongodb';
import type { Collections } from './collections.js';
import { LOG_INDEXES } from './indexes.js';

export interface StoreDiagnosis {
  version: string;
  /** What change streams and transactions need. */
  topology: 'replica set' | 'sharded cluster' | 'single';
  writable: boolean;
  /** Names of indexes of the logs that are not there. */
  missingIndexes: string[];
}

/** What an operator wants to know of the database, by looking alone. */
export async function diagnose({ database, logs }: Collections): Promise<StoreDiagnosis> {
  const [hello, build] = await Promise.all([
    database.command({ hello: 1 }),
    database.command({ buildInfo: 1 }),
  ]);
  const there = new Set((await indexesOf(logs)).map(({ name }) => name));
  return {
    version: String(build.version),
    topology: hello.msg === 'isdbgrid' ? 'sharded cluster' : hello.setName ? 'replica set' : 'single',
    writable: hello.isWritablePrimary === true,
    missingIndexes: LOG_INDEXES.flatMap(({ name = '' }) => (there.has(name) ? [] : [name])),
  };
}

/** A collection that was never written to has none. */
async function indexesOf(logs: Collections['logs']): Promise<{ name?: string }[]> {
  try {
    return await logs.indexes();
  } catch (error) {
    if (error instanceof MongoServerError && error.codeName === 'NamespaceNotFound') return [];
    throw error;
  }
}
