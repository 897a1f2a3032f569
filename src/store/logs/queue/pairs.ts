import type { LogRecord } from '../../../core/log-record.js';
import type { Collections } from '../../mongodb/collections.js';
import { readAllWhole } from '../read-whole.js';
import { findLead } from '../search/find-lead.js';
import { withHint } from '../search/lead.js';
import type { LogFilter } from '../search/log-filter.js';
import { LIST_REACH, type ListReach, SORTS, stretchOf } from '../search/stretches.js';

/** Successful logs of one prompt that match a filter, newest first. */
export interface PromptGroup {
  prompt: string;
  logs: LogRecord[];
}

export interface PromptGroups {
  groups: PromptGroup[];
  /** How many logs were examined for those that match, where there are more. */
  searched?: number;
}

export interface PairStore {
  /** Prompts with several answers, among the newest matching logs. */
  list(projectUid: string, filter: LogFilter, limit: number): Promise<PromptGroups>;
}

/** The number of logs that are examined: a prompt whose answers are further apart is not found. */
const NEWEST = 5_000;
const ALL_FIT: ListReach = { byIndex: NEWEST, byLog: NEWEST };
const MAX_ANSWERS = 6;

export function createPairStore(collections: Collections, reach: ListReach = LIST_REACH): PairStore {
  const { logs, guarded } = collections;
  return {
    list: (project_uid, filter, limit) =>
      guarded(async () => {
        const lead = await findLead(collections, project_uid, filter, reach);
        const { where, end, size } = await stretchOf(collections, lead, {
          reach: lead.rest.length === 0 ? ALL_FIT : reach,
        });
        const query = lead.queryWith(...where, ...lead.rest);
        const groups = await withHint(lead.hint, (options) =>
          logs.aggregate<{ _id: string; ids: string[] }>(groupsOf(query, limit), options).toArray(),
        );
        const ids = groups.flatMap((group) => group.ids);
        const documents = await logs
          .find({ project_uid, _id: { $in: ids } }, { projection: { _words: 0, _metadata_terms: 0 } })
          .toArray();
        const byId = new Map<string, LogRecord>();
        for await (const [{ _id }, log] of readAllWhole(collections, documents)) byId.set(_id, log);
        const found = groups.map(({ _id: prompt, ids }) => ({
          prompt,
          logs: ids.flatMap((id) => byId.get(id) ?? []),
        }));
        const searched = end === undefined ? lead.among?.searched : size;
        return { groups: found, ...(searched === undefined ? {} : { searched }) };
      }),
  };
}

function groupsOf(query: object, limit: number): object[] {
  return [
    { $match: query },
    { $sort: SORTS.newest },
    { $limit: NEWEST },
    { $match: { status: 'success', _prompt: { $ne: null } } },
    { $project: { _prompt: 1, created_at: 1 } },
    { $group: { _id: '$_prompt', ids: { $push: '$_id' }, newest: { $max: '$created_at' } } },
    { $match: { 'ids.1': { $exists: true } } },
    { $sort: { newest: -1, _id: 1 } },
    { $limit: limit },
    { $project: { ids: { $slice: ['$ids', MAX_ANSWERS] } } },
  ];
}
