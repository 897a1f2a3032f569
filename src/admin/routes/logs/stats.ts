import { Type } from '../../../core/schema-type.js';
import { STAT_DIMENSIONS, type StatDimension } from '../../../store/counts/stat-places.js';
import type { StatRow } from '../../../store/counts/stat-rows.js';
import { MOST_ROWS } from '../../../store/counts/stats.js';
import { MOST_COUNTED_LOGS } from '../../../store/logs/stats-of-logs.js';
import type { AdminServer } from '../../admin-server.js';
import type { AdminDependencies } from '../../dependencies.js';
import { asAnswer } from '../../http/as-answer.js';
import { invalidRequest } from '../../http/errors.js';
import { printed } from '../../http/large-answers.js';
import {
  errorResponses,
  list,
  moment,
  nullable,
  oneOf,
  projectUid,
  strictObject,
} from '../../schemas/common.js';
import { filterProperties, readFilter } from '../../schemas/log-filter.js';

const BUCKETS = ['minute', 'hour', 'day', 'total'] as const;
/** Groupings by time. Each means the same as the bucket of this name beside another grouping. */
const TIMES = ['minute', 'hour', 'day'] as const;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** How far back the statistics go where no `from` is given. */
const DEFAULT_RANGE_MS = { minute: HOUR_MS, hour: DAY_MS, day: 30 * DAY_MS, total: DAY_MS } as const;

const count = (description: string) => Type.Integer({ description });
const duration = (description: string) => nullable(Type.Number({ description }));
const rowSchema = Type.Object({
  at: moment('When the minute, the hour, the day (UTC) or the whole time begins.'),
  key: nullable(
    Type.String({
      description:
        'The endpoint, model, status, key, plugin, tag, code of an error or reason to fall back; null without `by`, or ' +
        'where a log has none. With two groupings it is that of the first.',
    }),
  ),
  keys: Type.Optional(
    Type.Unsafe<Record<string, string | null>>({
      type: 'object',
      additionalProperties: { type: ['string', 'null'] },
      description: 'Present with two groupings: the key of each, by its name.',
    }),
  ),
  requests: count('Logs; with `by=plugin` those that it ran on.'),
  errors: count('Logs with the status `error`; with `by=plugin` runs that failed or were too late.'),
  fallbacks: count('Tries beyond the first; with `by=fallback` those for this reason.'),
  invalid: count('Logs with the status `invalid_output`.'),
  rejected: count('Logs with the status `rejected`; with `by=plugin` runs that rejected.'),
  input_tokens: count('As the providers told, or as estimated.'),
  output_tokens: count('As the providers told, or as estimated.'),
  cost: nullable(Type.Number({ description: 'US dollars; null where none is known.' })),
  p50_ms: duration('Half took no longer; to within 5 %. With `by=plugin` its own runs.'),
  p95_ms: duration('95 % took no longer.'),
  p99_ms: duration('99 % took no longer.'),
  ttft_p50_ms: duration('The time to the first token, of half of the streams.'),
  score: nullable(Type.Number({ description: "The mean of the logs' scores." })),
  feedback: count('Signals on these logs, whenever they were given.'),
});

const statsSchema = Type.Object({
  ...list(rowSchema).properties,
  searched: Type.Optional(
    Type.Integer({
      description:
        'So many of the newest logs were counted, and there are more: no counts are kept of what was asked for.',
    }),
  ),
});

export function statRoutes(server: AdminServer, { store, clock }: AdminDependencies): void {
  server.get(
    '/:project_uid/stats',
    {
      config: { access: { scope: 'logs' } },
      schema: {
        summary: 'What happened, by minute, by hour, by day or in all',
        description:
          'From counts that are kept as logs land, and that stay when logs are deleted. Times without a log have no ' +
          `row. With \`by=tag\` a log counts for each tag that it has now; keys of metadata with more than 12 values are ` +
          `left out, and so is what comes behind 100 tags of a project. Minutes are kept for two days. Two groupings of key, ` +
          `endpoint, model and status have counts; other pairs, tags beside a filter, and tags, plugins, errors and ` +
          `fallbacks by the minute are counted from the newest ${MOST_COUNTED_LOGS} logs, which \`searched\` tells. ` +
          `More than ${MOST_ROWS} rows are refused: ask for days, or for a shorter time.`,
        tags: ['logs'],
        params: Type.Object({ project_uid: projectUid }),
        querystring: strictObject({
          from: filterProperties.from,
          to: filterProperties.to,
          bucket: Type.Optional(
            oneOf(BUCKETS, { description: 'Default: `hour`. `total`: one row for the whole time.' }),
          ),
          by: Type.Optional(
            Type.Array(oneOf([...STAT_DIMENSIONS, ...TIMES]), {
              minItems: 1,
              maxItems: 2,
              description:
                'A row for each of these; given twice, for each combination. `by=day` beside another is `bucket=day`.',
            }),
          ),
          key: filterProperties.key,
          endpoint: filterProperties.endpoint,
          model: filterProperties.model,
          status: filterProperties.status,
          tag: Type.Optional(
            Type.Array(Type.String(), { minItems: 1, maxItems: 50, description: 'All of these tags.' }),
          ),
        }),
        response: { 200: statsSchema, ...errorResponses },
      },
    },
    async (request, reply) => {
      const { by = [], bucket, where } = readGroupings(request.query);
      const { from: first, to: end } = readFilter({ from: request.query.from, to: request.query.to });
      const to = end ?? new Date(clock.now() + 1);
      const from = first ?? new Date(to.getTime() - DEFAULT_RANGE_MS[bucket]);
      if (from >= to) throw invalidRequest([{ path: 'from', message: 'is not before `to`' }]);
      const uid = request.params.project_uid.toLowerCase();
      const stats = await store.stats.read(uid, { from, to, bucket, by: by.filter(isDimension), where });
      if (stats === undefined) {
        const message = `gives more than ${MOST_ROWS} rows: ask for days, or for a shorter time`;
        throw invalidRequest([{ path: 'from', message }]);
      }
      const { rows, searched } = stats;
      const time = by.find(isTime);
      const data = time === undefined ? rows : rows.map((row) => withTime(row, by, time));
      const content = { data, next_cursor: null, ...(searched === undefined ? {} : { searched }) };
      return asAnswer(await printed(reply, content));
    },
  );
}

type Time = (typeof TIMES)[number];
type Grouping = StatDimension | Time;

const isTime = (name: Grouping): name is Time => (TIMES as readonly string[]).includes(name);
const isDimension = (name: Grouping): name is StatDimension => !isTime(name);

interface Asked extends Partial<Record<'key' | 'endpoint' | 'model' | 'status' | 'tag', string[]>> {
  by?: Grouping[];
  bucket?: (typeof BUCKETS)[number];
}

/** Reads the groupings. Throws `invalid_request` where they, or the bucket beside them, contradict each other. */
function readGroupings({ by = [], bucket, key, endpoint, model, status, tag }: Asked) {
  const times = by.filter(isTime);
  if (new Set(by).size < by.length) throw invalidRequest([{ path: 'by', message: 'names the same twice' }]);
  if (times.length > 1) throw invalidRequest([{ path: 'by', message: 'has two times' }]);
  const [time] = times;
  if (time !== undefined && bucket !== undefined && bucket !== time) {
    throw invalidRequest([{ path: 'bucket', message: `differs from \`by=${time}\`` }]);
  }
  const given = Object.entries({ key, endpoint, model, status, tag }).filter(([, value]) => value);
  return { by, bucket: time ?? bucket ?? ('hour' as const), where: Object.fromEntries(given) };
}

/** A row in which the time is one of the keys. */
function withTime(row: StatRow, by: readonly Grouping[], time: Time): StatRow {
  const at = row.at.toISOString();
  const shown = time === 'day' ? at.slice(0, 10) : at;
  const keys = Object.fromEntries(by.map((name) => [name, isTime(name) ? shown : row.key]));
  return { ...row, keys };
}
