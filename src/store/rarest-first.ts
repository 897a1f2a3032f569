import type { Collections } from './collections.js';
import {
  type LogFilter,
  type LogQuery,
  type TermConditions,
  termConditions,
  toLogQuery,
} from './log-filter.js';

/** Which of two terms is rarer need not be known beyond so many logs. */
const COUNT_LIMIT = 1000;

/**
 * The query of a filter, made to be quick: of several tags, metadata keys or words the rarest is looked up. How
 * rare each is costs a look of its own into the index, which is short since it ends at a limit.
 */
export async function planLogQuery(
  collections: Collections,
  projectUid: string,
  filter: LogFilter,
): Promise<LogQuery> {
  const terms = termConditions(filter);
  const sort = async (conditions: LogQuery[]) => sortByRarity(collections, projectUid, conditions);
  const [tags, _metadata_terms, _words] = await Promise.all([
    sort(terms.tags),
    sort(terms._metadata_terms),
    sort(terms._words),
  ]);
  return toLogQuery(projectUid, filter, { tags, _metadata_terms, _words } satisfies TermConditions);
}

async function sortByRarity(
  { database, logs }: Collections,
  project_uid: string,
  conditions: LogQuery[],
): Promise<LogQuery[]> {
  if (conditions.length < 2) return conditions;
  const counted = await Promise.all(
    conditions.map(async (condition) => {
      // Unlike an aggregation, this command counts keys of the index and reads no log.
      const { n } = await database.command({
        count: logs.collectionName,
        query: { project_uid, ...condition },
        limit: COUNT_LIMIT,
      });
      return { condition, count: n as number };
    }),
  );
  return counted.sort((a, b) => a.count - b.count).map(({ condition }) => condition);
}
