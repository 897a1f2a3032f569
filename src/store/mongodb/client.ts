import { MongoClient } from 'mongodb';

const DEFAULT_DATABASE = 'sluice';

export interface ClientSettings {
  uri: string;
  /** How long a command may go without an answer before its connection is closed. 0 means no limit. */
  silenceMs: number;
}

/**
 * A client that notices soon when MongoDB is unreachable and recovers by itself. Every write must be acknowledged by a
 * majority that has it in the journal. It connects with the first call, so MongoDB need not be available yet.
 */
export function createClient({ uri, silenceMs }: ClientSettings): MongoClient {
  return new MongoClient(uri, {
    appName: 'sluice',
    serverSelectionTimeoutMS: 2000,
    connectTimeoutMS: 2000,
    socketTimeoutMS: silenceMs,
    heartbeatFrequencyMS: 2000,
    writeConcern: { w: 'majority', journal: true },
    readPreference: 'primary',
    ignoreUndefined: true,
    maxPoolSize: 50,
  });
}

/** The database that the URI names, or `sluice`. */
export function databaseName(uri: string): string {
  const path = /^mongodb(?:\+srv)?:\/\/[^/]*\/([^?]*)/.exec(uri)?.[1];
  return path ? decodeURIComponent(path) : DEFAULT_DATABASE;
}
