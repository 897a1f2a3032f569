import { type ClientSession, type Db, type Document, MongoServerError } from 'mongodb';

interface WriteAnswer {
  writeErrors?: { code: number; errmsg: string }[];
}

/** Runs MongoDB's command for writes in a transaction. Throws the first error. */
export async function runWrites(database: Db, command: Document, session: ClientSession): Promise<void> {
  const answer = (await database.command(command, { session })) as WriteAnswer;
  const [failure] = answer.writeErrors ?? [];
  if (failure !== undefined) throw new MongoServerError({ ...failure, message: failure.errmsg });
}

/**
 * Many small updates of one collection in one call, in the form of MongoDB's command `update`. The driver's bulkWrite
 * spends more on each than the update itself takes.
 */
export function updateAll(
  database: Db,
  collection: string,
  updates: readonly object[],
  session: ClientSession,
): Promise<void> {
  return runWrites(database, { update: collection, updates }, session);
}
