import type { JsonValue } from '../../../core/json.js';
import { readJson } from '../../../core/pacing/heavy-json.js';
import { Pace } from '../../../core/pacing/pace.js';
import type { Collections, LogDocument, PackedField } from '../../mongodb/collections.js';
import { FragmentReader, inGroups } from '../fragments/read-fragments.js';
import { type LogFilter, toLogQuery } from './log-filter.js';
import { searchWords, wordsOf } from './words.js';

/** How many logs are searched for words without an index: about a tenth of a second. */
export const RECENT_LOGS = 1000;

const SEARCHED = { project_uid: 1, api: 1, request: 1, response: 1, _packed: 1 } as const;

/**
 * The ids of a project's newest logs that contain the filter's words. Other conditions of the filter apply before
 * they are counted. Bodies in parts beside their log, over 2 MiB, are skipped.
 */
export async function findRecentWords(
  collections: Collections,
  projectUid: string,
  { q = '', ...rest }: LogFilter,
): Promise<string[]> {
  const { logs } = collections;
  const wanted = wordsOf(q);
  const fragments = new FragmentReader(collections);
  const cursor = logs
    .find(toLogQuery(projectUid, rest), { projection: SEARCHED })
    .sort({ created_at: -1, _id: -1 })
    .limit(RECENT_LOGS);
  const found: string[] = [];
  const pace = new Pace();
  for await (const group of inGroups(cursor)) {
    await fragments.load(group);
    for (const document of group) {
      const request = await bodyOf(document, 'request', fragments);
      const response = await bodyOf(document, 'response', fragments);
      const words = new Set(searchWords({ api: document.api, request, response }));
      if (wanted.every((word) => words.has(word))) found.push(document._id);
      await pace.pause();
    }
  }
  return found;
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
