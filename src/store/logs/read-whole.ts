import type { LogRecord } from '../../core/log-record.js';
import type { Collections, LogDocument, PackedField } from '../mongodb/collections.js';
import { fromLogDocument, partId } from './inserts/log-document.js';

/** What is read of a log for its request alone. */
export const ASKED_OF_LOG = { project_uid: 1, api: 1, request: 1, _packed: 1 } as const;

/** The log with its bodies, wherever they are kept. */
export function readWhole(collections: Collections, document: LogDocument): Promise<LogRecord> {
  return fromLogDocument(document, (field, count) => readParts(collections, document, field, count));
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
