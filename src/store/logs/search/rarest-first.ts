import type { Collections } from '../../mongodb/collections.js';
import { type LogFilter, type LogQuery, narrow, termConditions, toLogQuery } from './log-filter.js';
import { findRecentWords } from './recent-words.js';

/** Beyond this many logs it does not matter which of two terms is rarer. */
const COUNT_LIMIT = 1000;

/**
 * Makes the query of a filter fast: of several tags, metadata keys or words, the rarest is looked up. Finding out how
 * rare each is takes a short lookup in the index, which ends at a limit. Words without an index are searched in the
 * newest logs.
 */
export async function planLogQuery(
  collections: Collections,
  projectUid: string,
  filter: LogFilter,
): Promise<LogQuery> {
  const models = await knownModels(collections, projectUid, filter.model);
  if (models !== filter.model) return planLogQuery(collections, projectUid, { ...filter, model: models });
  if (filter.q !== undefined && !collections.searchesWords(projectUid)) {
    const ids = await findRecentWords(collections, projectUid, filter);
    const { q, ...rest } = filter;
    return narrow(await planLogQuery(collections, projectUid, rest), { _id: { $in: ids } });
  }
  const terms = termConditions(filter);
  const itself = (condition: LogQuery) => [condition];
  const sort = <Condition>(conditions: Condition[], counts: (condition: Condition) => LogQuery[]) =>
    sortByRarity(collections, projectUid, conditions, counts);
  const [tags, metadata, words] = await Promise.all([
    sort(terms.tags, itself),
    sort(terms.metadata, ({ counts }) => counts),
    sort(terms.words, itself),
  ]);
  return toLogQuery(projectUid, filter, { tags, metadata, words });
}

/** Replaces the name of a provider by the names of all its models that logs have, which are read from an index. */
export async function knownModels(
  { logs }: Collections,
  project_uid: string,
  models: string[] | undefined,
): Promise<string[] | undefined> {
  const providers = models?.filter((model) => !model.includes('/')) ?? [];
  if (models === undefined || providers.length === 0) return models;
  const found = await Promise.all(
    providers.map((provider) =>
      // `0` is the character after `/`, so the range ends with the last model of the provider.
      logs.distinct('model', { project_uid, model: { $gte: `${provider}/`, $lt: `${provider}0` } }),
    ),
  );
  const named = models.filter((model) => model.includes('/'));
  const all = [...new Set([...named, ...found.flat().filter((model) => model !== null)])];
  // No model has this name, so no log matches.
  return all.length === 0 ? ['/'] : all;
}

async function sortByRarity<Condition>(
  { database, logs }: Collections,
  project_uid: string,
  conditions: Condition[],
  countsOf: (condition: Condition) => LogQuery[],
): Promise<Condition[]> {
  if (conditions.length < 2) return conditions;
  // Unlike an aggregation, this command counts index keys and reads no logs.
  const count = async (condition: LogQuery): Promise<number> => {
    const query = { project_uid, ...condition };
    return (await database.command({ count: logs.collectionName, query, limit: COUNT_LIMIT })).n;
  };
  const counted = await Promise.all(
    conditions.map(async (condition) => {
      const counts = await Promise.all(countsOf(condition).map(count));
      return { condition, count: counts.reduce((sum, one) => sum + one, 0) };
    }),
  );
  return counted.sort((a, b) => a.count - b.count).map(({ condition }) => condition);
}
