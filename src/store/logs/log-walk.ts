import type { LogRecord } from '../../core/log-record.js';
import type { FeedbackStore, RecordedSignal } from '../feedback/feedback.js';
import type { Collections, LogDocument } from '../mongodb/collections.js';
import { FragmentReader } from './fragments/read-fragments.js';
import { readAllWhole } from './read-whole.js';
import { walkLead } from './search/bounded-list.js';
import { findLead } from './search/find-lead.js';
import { type LogFilter, narrowToJudged } from './search/log-filter.js';
import { LIST_REACH, type ListReach, type LogOrder } from './search/stretches.js';

/** A log with its feedback, oldest first. */
export interface WalkedLog {
  record: LogRecord;
  signals: RecordedSignal[];
  /** A hash that is equal for logs with the same prompt; null where the prompt is not stored. */
  prompt: string | null;
}

/** The rated logs of one prompt: the oldest one, and pairs of a better and a worse one, those that differ most first. */
export interface Rivals {
  oldest: string;
  pairs: { better: string; worse: string }[];
}

/** Reads any number of logs page by page, so that the memory does not grow. */
export interface LogWalk {
  /** The logs. Each page is a query of its own, so a slow reader keeps nothing open. */
  logs(projectUid: string, filter: LogFilter, order: LogOrder): AsyncGenerator<WalkedLog>;
  /** Compares the successful rated logs of a prompt that match the filter; undefined where all have the same rating. */
  rivals(projectUid: string, filter: LogFilter, prompt: string): Promise<Rivals | undefined>;
  one(projectUid: string, id: string): Promise<WalkedLog | undefined>;
}

const PAGE = 50;

export function createLogWalk(
  collections: Collections,
  feedback: Pick<FeedbackStore, 'ofLogs'>,
  reach: ListReach = LIST_REACH,
): LogWalk {
  const { logs, guarded } = collections;

  const withSignals = async function* (
    projectUid: string,
    documents: LogDocument[],
    fragments?: FragmentReader,
  ) {
    const rated = documents.filter((document) => document.feedback_count > 0).map((document) => document._id);
    const signals = rated.length > 0 ? await feedback.ofLogs(projectUid, rated) : [];
    for await (const [document, record] of readAllWhole(collections, documents, fragments)) {
      yield {
        record,
        signals: signals.filter((signal) => signal.log_id === document._id),
        prompt: document._prompt,
      };
    }
  };

  return {
    async *logs(projectUid, filter, order) {
      const lead = await guarded(() => findLead(collections, projectUid, filter, reach));
      const fragments = new FragmentReader(collections);
      const wish = { limit: PAGE, order, projection: { _words: 0, _metadata_terms: 0 }, reach };
      for await (const page of walkLead(collections, lead, wish)) {
        yield* withSignals(projectUid, page, fragments);
      }
    },

    rivals: (projectUid, filter, prompt) =>
      guarded(async () => {
        const { queryWith, rest } = await findLead(collections, projectUid, filter, reach);
        const query = narrowToJudged(queryWith(...rest), { _prompt: prompt, status: 'success' });
        const [ranked] = await logs.aggregate<RankedRivals>(rivalsOf(query)).toArray();
        const pairs = ranked === undefined ? [] : pairsOf(ranked);
        return pairs.length === 0 ? undefined : { oldest: ranked!.oldest[0]!._id, pairs };
      }),

    one: (project_uid, id) =>
      guarded(async () => {
        const document = await logs.findOne({ _id: id, project_uid });
        if (document === null) return undefined;
        const { value } = await withSignals(project_uid, [document]).next();
        return value ?? undefined;
      }),
  };
}

interface RankedRivals {
  oldest: { _id: string }[];
  best: { _id: string; rating: number }[];
  worst: { _id: string; rating: number }[];
}

/**
 * How many of the best and of the worst are read. There is more than one, because the best and the worst answer can be the
 * same text.
 */
const MOST_RIVALS = 5;

function pairsOf({ best, worst }: RankedRivals): Rivals['pairs'] {
  return best
    .flatMap((better) => worst.map((worse) => ({ better, worse, gap: better.rating - worse.rating })))
    .filter(({ gap }) => gap > 0)
    .sort((one, other) => other.gap - one.gap)
    .map(({ better, worse }) => ({ better: better._id, worse: worse._id }));
}

/** Ranks logs by score, or by thumb where they have no score. For equal ones the ids decide. */
function rivalsOf(query: object): object[] {
  const thumb = { $cond: [{ $eq: ['$quality_rating', '👍'] }, 1, -1] };
  const rating = {
    $ifNull: ['$score', { $cond: [{ $eq: ['$quality_rating', null] }, null, thumb] }],
  };
  return [
    { $match: query },
    { $project: { created_at: 1, rating } },
    { $match: { rating: { $ne: null } } },
    {
      $facet: {
        oldest: [{ $sort: { created_at: 1, _id: 1 } }, { $limit: 1 }],
        best: [{ $sort: { rating: -1, _id: -1 } }, { $limit: MOST_RIVALS }],
        worst: [{ $sort: { rating: 1, _id: 1 } }, { $limit: MOST_RIVALS }],
      },
    },
  ];
}
