import type { JsonValue } from '../../../core/json.js';
import { readJson } from '../../../core/pacing/heavy-json.js';
import { Pace } from '../../../core/pacing/pace.js';
import type { Collections, LogDocument, PackedField } from '../../mongodb/collections.js';
import { FragmentReader, inGroups } from '../fragments/read-fragments.js';
import { type FoundWords, type Lead, withHint } from './lead.js';
import { type ListReach, SORTS, stretchToCheck } from './stretches.js';
import { searchWords, wordsOf } from './words.js';

/** How many logs are searched for words without an index: about a tenth of a second. */
export const RECENT_LOGS = 1000;

const READ_AT_ONCE = 100;

const SEARCHED = { project_uid: 1, api: 1, request: 1, response: 1, _packed: 1 } as const;

/**
 * Looks for words in the newest logs of a lead that fit everything else, as far as one page looks. Bodies in parts
 * beside their log, over 2 MiB, are skipped.
 */
export async function findRecentWords(
  collections: Collections,
  lead: Lead,
  q: string,
  reach: ListReach,
): Promise<FoundWords> {
  const { where, end, size } = await stretchToCheck(collections, lead, { reach });
  const { ids, count } = await withHint(lead.hint, (options) =>
    searchBodies(
      collections,
      collections.logs
        .find(lead.queryWith(...where, ...lead.rest), { projection: SEARCHED, ...options })
        .sort(SORTS.newest)
        .limit(RECENT_LOGS)
        .batchSize(READ_AT_ONCE),
      wordsOf(q),
    ),
  );
  return { ids, searched: end !== undefined && count < RECENT_LOGS ? size : RECENT_LOGS };
}

/** Those that have all words, and how many there are. */
async function searchBodies(
  collections: Collections,
  documents: AsyncIterable<LogDocument>,
  wanted: readonly string[],
): Promise<{ ids: string[]; count: number }> {
  const fragments = new FragmentReader(collections);
  const ids: string[] = [];
  let count = 0;
  const pace = new Pace();
  for await (const group of inGroups(documents)) {
    await fragments.load(group);
    count += group.length;
    for (const document of group) {
      const request = await bodyOf(document, 'request', fragments);
      const response = await bodyOf(document, 'response', fragments);
      const words = new Set(searchWords({ api: document.api, request, response }));
      if (wanted.every((word) => words.has(word))) ids.push(document._id);
      await pace.pause();
    }
  }
  return { ids, count };
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
