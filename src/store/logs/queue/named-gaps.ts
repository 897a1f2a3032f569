import { judgedMark } from '../../judging/judgements.js';
import type { Collections, LogDocument, LogPosition } from '../../mongodb/collections.js';
import { withHint } from '../search/lead.js';
import { type LogQuery, olderOrNewer } from '../search/log-filter.js';
import { type Gap, gapsBetween, type Place, type Stretch } from './judged-stretches.js';

/** A named queue, and who judges in it. */
export interface NamedQueueOf {
  name: string;
  /** How many people must judge each log. */
  judges: number;
  annotator: string;
  /** The share of the logs that the queue has. Default: 1. */
  sample?: number;
}

/** Conditions on the place of logs: one for each gap between judged stretches, newest first. */
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
  return gapsBetween(own, stretches, judges).map(conditionsOf);
}

/** The stretch from the oldest to the newest log with this mark, from two keys of an index. */
async function judgedBy(
  { logs }: Collections,
  project_uid: string,
  _judged: string,
): Promise<Stretch | undefined> {
  const at = async (order: 1 | -1) => {
    const projection = { created_at: 1 } as const;
    const sort = { created_at: order, _id: order } as const;
    const log = await withHint('judged', (options) =>
      logs.findOne({ project_uid, _judged }, { projection, sort, ...options }),
    );
    return log === null ? undefined : placeOf(log);
  };
  const [from, to] = await Promise.all([at(1), at(-1)]);
  return from === undefined || to === undefined ? undefined : { from, to };
}

function conditionsOf({ from, to }: Gap): LogQuery {
  const ends = [
    ...(from === undefined ? [] : olderOrNewer(positionOf(from), '$gt')),
    ...(to === undefined ? [] : olderOrNewer(positionOf(to), '$lt')),
  ];
  return { $and: ends };
}

const TIME_DIGITS = 15;

function placeOf({ created_at, _id }: Pick<LogDocument, 'created_at' | '_id'>): Place {
  return `${String(created_at.getTime()).padStart(TIME_DIGITS, '0')}${_id}`;
}

function positionOf(place: Place): LogPosition {
  return { created_at: new Date(Number(place.slice(0, TIME_DIGITS))), id: place.slice(TIME_DIGITS) };
}
