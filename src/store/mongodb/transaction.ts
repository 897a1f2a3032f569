import type { ClientSession, MongoClient } from 'mongodb';

/** Runs work atomically. It is repeated where another writer conflicted with it. */
export function inTransaction<Value>(
  client: MongoClient,
  work: (session: ClientSession) => Promise<Value>,
): Promise<Value> {
  return client.withSession((session) =>
    session.withTransaction(() => work(session), {
      readConcern: { level: 'snapshot' },
      writeConcern: { w: 'majority', journal: true },
    }),
  );
}
