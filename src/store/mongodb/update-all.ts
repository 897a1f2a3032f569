import { type ClientSession, type Db, MongoServerError } from 'mongodb';

interface UpdateAnswer {
  writeErrors?: { code: number; errmsg: string }[];
}

/**
 * Many small updates of one collection in one call, each as MongoDB's command `update` has it. The driver's own
 * bulkWrite spends more on each than the update itself takes.
 */
export async function updateAll(
  database: Db,
  collection: string,
  updates: readonly object[],
  session: ClientSession,
): Promise<void> {
  const answer = (await database.command({ update: collection, updates }, { session })) as UpdateAnswer;
  const [failure] = answer.writeErrors ?? [];
  if (failure !== undefined) throw new MongoServerError({ ...failure, message: failure.errmsg });
}
