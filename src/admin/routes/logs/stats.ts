import { Type } from '../../../core/schema-type.js';
import { STAT_DIMENSIONS } from '../../../store/counts/stat-deltas.js';
import { MOST_ROWS } from '../../../store/counts/stats.js';
import type { AdminServer } from '../../admin-server.js';
import type { AdminDependencies } from '../../dependencies.js';
import { asAnswer } from '../../http/as-answer.js';
import { invalidRequest } from '../../http/errors.js';
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

const BUCKETS = ['hour', 'day', 'total'] as const;
const DAY_MS = 86_400_000;
/** How far back it goes where no `from` is given. */
const DEFAULT_RANGE_MS = { hour: DAY_MS, day: 30 * DAY_MS, total: DAY_MS } as const;

const count = (description: string) => Type.Integer({ description });
const duration = (description: string) => nullable(Type.Number({ description }));
const rowSchema = Type.Object({
  at: moment('When the hour, the day (UTC) or the whole time begins.'),
  key: nullable(
    Type.String({
      description:
        'The endpoint, model, status, plugin, tag, code of an error or reason to fall back; null without `by`, or ' +
        'where a log has none.',
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

export function statRoutes(server: AdminServer, { store, clock }: AdminDependencies): void {
  server.get(
    '/:project_uid/stats',
    {
      config: { access: { scope: 'logs' } },
      schema: {
        summary: 'What happened, by hour, by day or in all',
        description:
          'From counts that are kept as logs land, and that stay when logs are deleted. Times without a log have no ' +
          `row. With \`by=tag\` a log counts for each tag that it has now; keys of metadata with more than 12 values are ` +
          `left out, and so is what comes behind 100 tags of a project. More than ${MOST_ROWS} rows are refused: ask for days, or for a shorter time.`,
        tags: ['logs'],
        params: Type.Object({ project_uid: projectUid }),
        querystring: strictObject({
          from: filterProperties.from,
          to: filterProperties.to,
          bucket: Type.Optional(
            oneOf(BUCKETS, { default: 'hour', description: '`total`: one row for the whole time.' }),
          ),
          by: Type.Optional(oneOf(STAT_DIMENSIONS, { description: 'A row for each of these.' })),
        }),
        response: { 200: list(rowSchema), ...errorResponses },
      },
    },
    async (request) => {
      const { bucket = 'hour', by } = request.query;
      const { from: first, to: end } = readFilter({ from: request.query.from, to: request.query.to });
      const to = end ?? new Date(clock.now() + 1);
      const from = first ?? new Date(to.getTime() - DEFAULT_RANGE_MS[bucket]);
      if (from >= to) throw invalidRequest([{ path: 'from', message: 'is not before `to`' }]);
      const rows = await store.stats.read(request.params.project_uid.toLowerCase(), { from, to, bucket, by });
      if (rows === undefined) {
        const message = `gives more than ${MOST_ROWS} rows: ask for days, or for a shorter time`;
        throw invalidRequest([{ path: 'from', message }]);
      }
      return asAnswer({ data: rows, next_cursor: null });
    },
  );
}
