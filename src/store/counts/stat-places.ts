import type { StatDocument } from '../mongodb/collections.js';
import { type CountableLog, keyOf, modelOf } from './stat-values.js';

/* Where a log is counted: the dimensions and their keys, and the documents of hours, days and minutes. */

export const STAT_DIMENSIONS = [
  'endpoint',
  'model',
  'status',
  'key',
  'plugin',
  'tag',
  'error',
  'fallback',
] as const;
export type StatDimension = (typeof STAT_DIMENSIONS)[number];
export type StatBucket = 'minute' | 'hour' | 'day';

export const HOUR_MS = 3_600_000;
export const MINUTE_MS = 60_000;
export const BUCKET_MS = {
  minute: MINUTE_MS,
  hour: HOUR_MS,
  day: 24 * HOUR_MS,
} as const satisfies Record<StatBucket, number>;

/** The dimensions of a cell of counts, in this order. A cell is one combination of their keys. */
export const CELL_DIMENSIONS = ['key', 'endpoint', 'model', 'status'] as const;
export type CellDimension = (typeof CELL_DIMENSIONS)[number];

/** The place of counts by the minute. Unlike those of hours and days, it contains the minute. */
export const MINUTE_PLACE = 'minute';
/** Minutes are kept for two days, so older ones are not counted. */
export const MINUTES_KEPT_MS = 47 * HOUR_MS;

/** Longer error codes come from providers, and nobody searches for them. */
const LONGEST_CODE = 100;

/** What a log is counted by: alternately the name of a dimension and a key in it. */
export type Places = (string | null)[];

export type Place = Pick<StatDocument, '_id' | 'project_uid' | 'bucket' | 'by' | 'at' | 'key'>;

/** The places of logs with this cell and error. */
export function placesOfCell(log: CountableLog, cell: string, code: string): Places {
  const { endpoint, status } = log;
  const [key, model] = [keyOf(log), modelOf(log)];
  const places: Places = ['all', null, 'endpoint', endpoint, 'model', model, 'status', status, 'cell', cell];
  if (key !== null) places.push('key', key);
  if (code !== '' && code.length <= LONGEST_CODE) places.push('error', code);
  return places;
}

/** The documents of a place in an hour. */
export function* placesOf(project_uid: string, hour: number, places: Places): Generator<Place> {
  if (places[0] === MINUTE_PLACE) {
    const [, minute, key = null] = /^(\d+) (.*)$/s.exec(places[1] ?? '') ?? [];
    const start = hour * HOUR_MS + Number(minute) * MINUTE_MS;
    const _id = JSON.stringify([project_uid, 'minute', start, 'cell', key]);
    yield { _id, project_uid, bucket: 'minute', by: 'cell', at: new Date(start), key };
    return;
  }
  for (const bucket of ['hour', 'day'] as const) {
    const start = Math.floor((hour * HOUR_MS) / BUCKET_MS[bucket]) * BUCKET_MS[bucket];
    for (let index = 0; index < places.length; index += 2) {
      const [by, key] = [places[index] as Place['by'], places[index + 1] ?? null];
      const _id = JSON.stringify([project_uid, bucket, start, by, key]);
      yield { _id, project_uid, bucket, by, at: new Date(start), key };
    }
  }
}
