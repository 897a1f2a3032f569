import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { BSON, MongoClient } from 'mongodb';
import { runProgram } from '../../src/local/processes/run-program.js';

const ENDING = '.bson';
const BATCH = 500;

/** Saves a whole database into a folder in the format of mongodump, with that program where it is installed. */
export async function dump(uri: string, dumpFolder: string): Promise<'mongodump' | 'driver'> {
  if (await isThere('mongodump')) {
    await done('mongodump', [`--uri=${uri}`, `--out=${dumpFolder}`]);
    return 'mongodump';
  }
  await withClient(uri, async (client) => {
    const database = client.db();
    const folder = join(dumpFolder, database.databaseName);
    await mkdir(folder, { recursive: true });
    for (const { name } of await database.listCollections({}, { nameOnly: true }).toArray()) {
      const documents = await database.collection(name).find({}, { raw: true }).toArray();
      await writeFile(join(folder, `${name}${ENDING}`), Buffer.concat(documents as unknown as Buffer[]));
    }
  });
  return 'driver';
}

/** Restores what `dump` saved into another, empty database, with mongorestore where it is installed. */
export async function restore(dumpFolder: string, from: string, uri: string): Promise<void> {
  await withClient(uri, async (client) => {
    const database = client.db();
    if (await isThere('mongorestore')) {
      const renamed = [`--nsFrom=${from}.*`, `--nsTo=${database.databaseName}.*`, '--noIndexRestore'];
      return done('mongorestore', [`--uri=${uri}`, ...renamed, dumpFolder]);
    }
    for (const file of await readdir(join(dumpFolder, from))) {
      const documents = documentsIn(await readFile(join(dumpFolder, from, file)));
      const collection = database.collection(basename(file, ENDING));
      for (let at = 0; at < documents.length; at += BATCH)
        await collection.insertMany(documents.slice(at, at + BATCH));
    }
  });
}

/** The BSON documents in a file, one after the other, each with its length in front. The types of values are kept. */
function documentsIn(bytes: Buffer): BSON.Document[] {
  const documents: BSON.Document[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = at + bytes.readInt32LE(at);
    documents.push(BSON.deserialize(bytes.subarray(at, end), { promoteValues: false, bsonRegExp: true }));
    at = end;
  }
  return documents;
}

async function withClient<T>(uri: string, work: (client: MongoClient) => Promise<T>): Promise<T> {
  const client = await MongoClient.connect(uri, { ignoreUndefined: false });
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}

const run = (command: string, parameters: string[]) =>
  runProgram(command, parameters, { environment: process.env });

async function isThere(command: string): Promise<boolean> {
  return (await run(command, ['--version'])).started;
}

async function done(command: string, parameters: string[]): Promise<void> {
  const { code, problem } = await run(command, parameters);
  if (code !== 0) throw new Error(`${command} failed: ${problem}`);
}
