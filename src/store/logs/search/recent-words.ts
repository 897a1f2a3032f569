import type { JsonValue } from '../../../core/json.js';
import { backgroundPace } from '../../../core/pacing/background-work.js';
import { readJson } from '../../../core/pacing/heavy-json.js';
import type { Collections, LogDocument, LogPosition, PackedField } from '../../mongodb/collections.js';
import { FragmentReader, inGroups } from '../fragments/read-fragments.js';
import { type FoundWords, type Lead, withHint } from './lead.js';
import { type ListReach, SORTS, stretchToCheck } from './stretches.js';
import { searchWords, wordsOf } from './words.js';

/** How many logs are searched for words without an index, which takes about a tenth of a second. */
export const RECENT_LOGS = 1000;

const READ_AT_ONCE = 100;

const SEARCHED = { created_at: 1, project_uid: 1, api: 1, request: 1, response: 1, _packed: 1 } as const;

/**
 * Looks for words in the newest logs of a lead that fit everything else, as far as one page looks. Bodies in parts
 * beside their log, over 2 MiB, are skipped.
 */
export async function findRecentWords(
  collections: Collections,
  lead: Lead,
  q: string,
  reach: ListReach,
  after?: LogPosition,
): Promise<FoundWords> {
  const { where, end: endOfStretch, size } = await stretchToCheck(collections, lead, { reach, after });
  const { ids, end } = await withHint(lead.hint, (options) =>
    searchBodies(
      collections,
      collections.logs
        .find(lead.queryWith(...where, ...lead.rest), { projection: SEARCHED, ...options })
        .sort(SORTS.newest)
        .limit(RECENT_LOGS + 1)
        .batchSize(READ_AT_ONCE),
      wordsOf(q),
    ),
  );
  if (end !== undefined) return { ids, end, searched: RECENT_LOGS };
  return endOfStretch === undefined ? { ids } : { ids, end: endOfStretch, searched: size };
}

/** Those of the first `RECENT_LOGS` that have all words, and the last one that was searched, where there are more. */
async function searchBodies(
  collections: Collections,
  documents: AsyncIterable<LogDocument>,
  wanted: readonly string[],
): Promise<{ ids: string[]; end?: LogPosition }> {
  const fragments = new FragmentReader(collections);
  const ids: string[] = [];
  let count = 0;
  let last: LogPosition | undefined;
  const pace = backgroundPace();
  for await (const group of inGroups(documents)) {
    await fragments.load(group);
    for (const document of group) {
      if (++count > RECENT_LOGS) return { ids, end: last };
      last = { created_at: document.created_at, id: document._id };
      const request = await bodyOf(document, 'request', fragments);
      const response = await bodyOf(document, 'response', fragments);
      const words = new Set(searchWords({ api: document.api, request, response }));
      if (wanted.every((word) => words.has(word))) ids.push(document._id);
      await pace.pause();
    }
  }
  return { ids };
}

async function bodyOf(
  document: LogDocument,
  field: PackedField & ('request' | 'response'),
  fragments: FragmentReader,
): Promise<JsonValue> {
  const packed = document._packed?.[field];
  if (packed === undefined) return document[field];
  if ('parts' in packed) return null;
  const json = 'json' in packed ? packed.json : await fragments.textOf(document, packed);
  return (await readJson(json)).value;
}
