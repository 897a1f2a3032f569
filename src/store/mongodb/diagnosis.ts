import { type MongoClient, MongoServerError, ReadPreference } from 'mongodb';
import type { Collections } from './collections.js';
import { LOG_INDEXES } from './indexes.js';

export interface StoreDiagnosis {
  version: string;
  /** The kind of deployment. Change streams and transactions need a replica set or a sharded cluster. */
  topology: 'replica set' | 'sharded cluster' | 'single';
  writable: boolean;
  /** The names of missing indexes of the logs. */
  missingIndexes: string[];
}

/** Reads the state of the database, for an operator. */
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

/** One member of a replica set, as seen by the member that was asked. */
export interface MemberState {
  /** The address of the member, as `host:port`. */
  name: string;
  /** `PRIMARY`, `SECONDARY`, `RECOVERING`, …; `DOWN` where it does not answer the member that was asked. */
  state: string;
  /** How many seconds its newest operation is behind the newest of all members; undefined where it has none. */
  lagSeconds?: number;
  /** The last message about it, where something is wrong. */
  message?: string;
}

/** What the server reports about a member; https://www.mongodb.com/docs/manual/reference/command/replSetGetStatus/ */
interface MemberStatus {
  name: string;
  health: number;
  stateStr: string;
  optimeDate?: Date;
  lastHeartbeatMessage?: string;
  infoMessage?: string;
}

const UNAUTHORIZED = 13;

/**
 * Each member of the replica set; also without a primary, as long as one of them answers. Undefined where the user
 * lacks the right (`clusterMonitor`), and where it is not a replica set.
 */
export async function readMembers(client: MongoClient): Promise<MemberState[] | undefined> {
  try {
    const admin = client.db('admin');
    const anyone = { readPreference: ReadPreference.primaryPreferred };
    const { members } = await admin.command({ replSetGetStatus: 1 }, anyone);
    return membersOf(members);
  } catch (error) {
    const isNone = error instanceof MongoServerError;
    const { code, codeName } = isNone ? error : {};
    if (code === UNAUTHORIZED || codeName === 'NoReplicationEnabled' || codeName === 'CommandNotFound') {
      return undefined;
    }
    throw error;
  }
}

export function membersOf(members: readonly MemberStatus[]): MemberState[] {
  const newest = Math.max(...members.map(({ optimeDate }) => optimeDate?.getTime() ?? 0));
  return members.map(({ name, health, stateStr, optimeDate, lastHeartbeatMessage, infoMessage }) => ({
    name,
    state: health === 1 ? stateStr : 'DOWN',
    lagSeconds:
      health === 1 && optimeDate !== undefined && optimeDate.getTime() > 0
        ? (newest - optimeDate.getTime()) / 1000
        : undefined,
    message: lastHeartbeatMessage || infoMessage || undefined,
  }));
}

/** A collection that was never written to does not exist. */
async function indexesOf(logs: Collections['logs']): Promise<{ name?: string }[]> {
  try {
    return await logs.indexes();
  } catch (error) {
    if (error instanceof MongoServerError && error.codeName === 'NamespaceNotFound') return [];
    throw error;
  }
}
