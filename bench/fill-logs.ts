import { BSON, MongoClient } from 'mongodb';
import { DocumentSequence } from 'mongodb/lib/cmap/commands.js';
import { toLogDocument } from '../src/store/logs/inserts/log-document.js';
import { freshFragments } from '../test/support/fragments.js';
import { DIFFERENT_LOGS, generateLog, identityOf } from './log-generator.js';

/*
 * One of the processes that fill a collection for a benchmark. Most of a log is copied from one of `DIFFERENT_LOGS`, as
 * bytes; its id, time and request id are its own. So a log costs this process some microseconds, and mongod is what takes
 * time. Arguments: URI of the database, first log, number of logs.
 */
const [uri = '', first = '0', count = '0'] = process.argv.slice(2);
const AT_ONCE = 2000;
const COMMANDS = 2;

interface Template {
  bytes: Buffer;
  idAt: number;
  timeAt: number;
  /** The offset of the request's id; undefined where the log has none. */
  requestAt: number | undefined;
}

async function templateOf(index: number): Promise<Template> {
  const record = generateLog(index);
  const { document } = await toLogDocument(record, freshFragments());
  const bytes = Buffer.from(BSON.serialize(document, { ignoreUndefined: true }));
  const requestAt = bytes.indexOf(identityOf(index).request);
  return {
    bytes,
    idAt: bytes.indexOf(record._id),
    timeAt: bytes.indexOf('created_at\0') + 'created_at\0'.length,
    requestAt: requestAt === -1 ? undefined : requestAt,
  };
}

/** Documents that are encoded already, so that the driver does not encode them again. */
class Bytes extends DocumentSequence {
  constructor(private readonly documents: readonly Buffer[]) {
    super('documents');
  }

  override toBin(): Uint8Array {
    const length = this.documents.reduce((sum, { length }) => sum + length, 4 + 'documents\0'.length);
    const head = Buffer.alloc(5);
    head[0] = 1;
    head.writeInt32LE(length, 1);
    return Buffer.concat([head, Buffer.from('documents\0'), ...this.documents]);
  }
}

const templates: Template[] = [];
const many = Math.min(DIFFERENT_LOGS, Number(first) + Number(count));
for (let index = 0; index < many; index++) templates.push(await templateOf(index));

function logOf(index: number): Buffer {
  const { bytes, idAt, timeAt, requestAt } = templates[index % DIFFERENT_LOGS]!;
  const log = Buffer.from(bytes);
  const { id, created_at, request } = identityOf(index);
  log.write(id, idAt, 'latin1');
  log.writeBigInt64LE(BigInt(created_at.getTime()), timeAt);
  if (requestAt !== undefined) log.write(request, requestAt, 'latin1');
  return log;
}

const client = new MongoClient(uri);
const end = Number(first) + Number(count);
let next = Number(first);
const write = async () => {
  while (next < end) {
    const start = next;
    next = Math.min(end, next + AT_ONCE);
    const logs = Array.from({ length: next - start }, (_, offset) => logOf(start + offset));
    const answer = await client
      .db()
      .command({ insert: 'logs', documents: new Bytes(logs), ordered: false, writeConcern: { w: 1 } });
    if (answer.n !== logs.length) throw new Error(`written: ${answer.n} of ${logs.length}`);
    if (Math.floor(next / 500_000) > Math.floor(start / 500_000)) console.error(`${next} logs are written`);
  }
};
await Promise.all(Array.from({ length: COMMANDS }, write));
await client.close();
