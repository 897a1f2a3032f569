import type { ClientSession, MongoClient } from 'mongodb';

/** Runs a piece of work whole or not at all; it is run again where another writer was in its way. */
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
