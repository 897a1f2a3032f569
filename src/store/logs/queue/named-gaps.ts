import { judgedMark } from '../../judging/judgements.js';
import type { Collections } from '../../mongodb/collections.js';
import type { LogQuery } from '../search/log-filter.js';
import { type Gap, gapsBetween, type Stretch } from './judged-stretches.js';

/** A named queue, and who judges in it. */
export interface NamedQueueOf {
  name: string;
  /** How many people judge each log. */
  judges: number;
  annotator: string;
}

/** Conditions on the time of logs, one for each gap between what is done, newest first. */
export async function findGaps(
  collections: Collections,
  project_uid: string,
  { name, judges, annotator }: NamedQueueOf,
): Promise<LogQuery[]> {
  const people = await collections.judgements.distinct('annotator', { project_uid });
  const found = await Promise.all(
    people.map(async (person) => ({
      person,
      stretch: await judgedBy(collections, project_uid, judgedMark(name, person)),
    })),
  );
  const stretches = found.flatMap(({ stretch }) => stretch ?? []);
  const own = found.find(({ person }) => person === annotator)?.stretch;
  return gapsBetween(own, stretches, judges).map(timeOf);
}

/** From the oldest to the newest log with this mark: two keys of an index. */
async function judgedBy(
  { logs }: Collections,
  project_uid: string,
  _judged: string,
): Promise<Stretch | undefined> {
  const at = async (order: 1 | -1) => {
    const options = { projection: { created_at: 1 }, hint: 'judged' } as const;
    const log = await logs.findOne(
      { project_uid, _judged },
      { ...options, sort: { created_at: order, _id: order } },
    );
    return log?.created_at.getTime();
  };
  const [from, to] = await Promise.all([at(1), at(-1)]);
  return from === undefined || to === undefined ? undefined : { from, to };
}

function timeOf({ from, to }: Gap): LogQuery {
  return {
    created_at: {
      ...(from === undefined ? {} : { $gte: new Date(from) }),
      ...(to === undefined ? {} : { $lte: new Date(to) }),
    },
  };
}
