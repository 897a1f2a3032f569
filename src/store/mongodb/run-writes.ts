import { type ClientSession, type Db, type Document, MongoServerError } from 'mongodb';

/**
 * The index of ids, as a hint for writes that name an id and the shard key. Without it MongoDB compares the plans of all
 * indexes that begin with a field of the shard key.
 */
export const BY_ID = '_id_';

interface WriteAnswer {
  writeErrors?: { code: number; errmsg: string }[];
  upserted?: unknown[];
}

/** Runs MongoDB's command for writes in a transaction. Throws the first error. */
export async function runWrites(
  database: Db,
  command: Document,
  session: ClientSession,
): Promise<WriteAnswer> {
  const answer = (await database.command(command, { session })) as WriteAnswer;
  const [failure] = answer.writeErrors ?? [];
  if (failure !== undefined) throw new MongoServerError({ ...failure, message: failure.errmsg });
  return answer;
}

/** Writing a command of so many updates keeps the event loop for a few milliseconds. */
const UPDATES_AT_ONCE = 250;

/**
 * Sends many small updates of one collection in few calls, in the form of MongoDB's command `update`. The driver's bulkWrite
 * takes more time for each than the update itself. Resolves with the number of documents that were created.
 */
export async function updateAll(
  database: Db,
  collection: string,
  updates: readonly object[],
  session: ClientSession,
): Promise<number> {
  let created = 0;
  for (let at = 0; at < updates.length; at += UPDATES_AT_ONCE) {
    const command = { update: collection, updates: updates.slice(at, at + UPDATES_AT_ONCE) };
    const { upserted = [] } = await runWrites(database, command, session);
    created += upserted.length;
  }
  return created;
}
