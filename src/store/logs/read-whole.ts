import type { LogRecord } from '../../core/log-record.js';
import type { Collections, LogDocument, PackedField } from '../mongodb/collections.js';
import { FragmentReader, inGroups } from './fragments/read-fragments.js';
import { fromLogDocument, partId } from './inserts/log-document.js';

/** The fields of a log that are needed to read only its request. */
export const ASKED_OF_LOG = { project_uid: 1, api: 1, request: 1, _packed: 1 } as const;

/**
 * The log with its bodies, wherever they are stored. A caller that reads many logs loads their fragments into `fragments`
 * first.
 */
export function readWhole(
  collections: Collections,
  document: LogDocument,
  fragments = new FragmentReader(collections),
): Promise<LogRecord> {
  return fromLogDocument(document, {
    readParts: (field, count) => readParts(collections, document, field, count),
    readPieces: (packed) => fragments.textOf(document, packed),
  });
}

/** Does the same for many logs, in order, with few queries for their fragments. */
export async function* readAllWhole(
  collections: Collections,
  documents: Iterable<LogDocument> | AsyncIterable<LogDocument>,
  fragments = new FragmentReader(collections),
): AsyncGenerator<[LogDocument, LogRecord]> {
  const { guarded } = collections;
  for await (const group of inGroups(documents)) {
    await guarded(() => fragments.load(group));
    // Large bodies are fetched one by one, and not for the whole page.
    for (const document of group)
      yield [document, await guarded(() => readWhole(collections, document, fragments))];
  }
}

async function readParts(
  { bodies }: Collections,
  log: LogDocument,
  field: PackedField,
  count: number,
): Promise<Buffer> {
  const ids = Array.from({ length: count }, (_, index) => partId(log._id, field, index));
  const parts = await bodies.find({ project_uid: log.project_uid, _id: { $in: ids } }).toArray();
  const bytes = new Map(parts.map((part) => [part._id, part.data.buffer]));
  return Buffer.concat(
    ids.map((id) => {
      const part = bytes.get(id);
      if (part === undefined) throw new Error(`the part ${id} of a log is missing`);
      return part;
    }),
  );
}
