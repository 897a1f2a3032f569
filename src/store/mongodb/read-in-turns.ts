import type { FindCursor } from 'mongodb';
import { backgroundPace } from '../../core/pacing/background-work.js';

/**
 * The documents of a cursor. The driver decodes a document when it is asked for, which takes tens of milliseconds for a page of
 * logs, so other work gets a turn in between.
 */
export async function readInTurns<Document>(cursor: FindCursor<Document>): Promise<Document[]> {
  const documents: Document[] = [];
  const pace = backgroundPace();
  for await (const document of cursor) {
    documents.push(document);
    const rest = pace.pause();
    if (rest !== undefined) await rest;
  }
  return documents;
}
