import { setImmediate as turn } from 'node:timers/promises';
import type { JsonValue } from '../../../core/json.js';
import type { Collections, LogDocument, PackedField } from '../../mongodb/collections.js';
import { type LogFilter, toLogQuery } from './log-filter.js';
import { searchWords, wordsOf } from './words.js';

/** So many logs are looked through for words where no index has them: about a tenth of a second. */
export const RECENT_LOGS = 1000;
/** What is looked through in one turn of the event loop. */
const AT_ONCE = 25;

/**
 * The ids of those of a project's newest logs that the filter's words stand in. All else that the filter asks for
 * narrows the logs down before they are counted. Bodies in parts beside their log, over 2 MiB, are passed over.
 */
export async function findRecentWords(
  { logs }: Collections,
  projectUid: string,
  { q = '', ...rest }: LogFilter,
): Promise<string[]> {
  const wanted = wordsOf(q);
  const cursor = logs
    .find(toLogQuery(projectUid, rest), { projection: { api: 1, request: 1, response: 1, _packed: 1 } })
    .sort({ created_at: -1, _id: -1 })
    .limit(RECENT_LOGS);
  const found: string[] = [];
  let looked = 0;
  for await (const document of cursor) {
    const [request, response] = [bodyOf(document, 'request'), bodyOf(document, 'response')];
    const words = new Set(searchWords({ api: document.api, request, response }));
    if (wanted.every((word) => words.has(word))) found.push(document._id);
    if (++looked % AT_ONCE === 0) await turn();
  }
  return found;
}

function bodyOf(document: LogDocument, field: PackedField & ('request' | 'response')): JsonValue {
  const packed = document._packed?.[field];
  if (packed === undefined) return document[field];
  return 'json' in packed ? (JSON.parse(packed.json) as JsonValue) : null;
}
