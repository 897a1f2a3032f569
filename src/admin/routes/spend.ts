import { Type } from '../../core/schema-type.js';
import { LIMIT_WINDOWS, LIMITED } from '../../core/settings.js';
import { kindOf, prepareLimits } from '../../policy/limits/limit.js';
import { windowAt } from '../../policy/limits/windows.js';
import { MOST_SPEND_ROWS, SPEND_DIMENSIONS, type SpendRow } from '../../store/policy/spend.js';
import type { AdminServer } from '../admin-server.js';
import type { AdminDependencies } from '../dependencies.js';
import { invalidRequest } from '../http/errors.js';
import { errorResponses, list, nullable, oneOf, projectUid, strictObject } from '../schemas/common.js';
import { filterProperties, readFilter } from '../schemas/log-filter.js';

const MONTH_MS = 30 * 86_400_000;
const FORMATS = ['json', 'csv'] as const;

const tokens = (description: string) => Type.Integer({ description });
const rowSchema = Type.Object({
  key: nullable(
    Type.String({
      description:
        'The name of the key, the endpoint, `provider/model`, the tag, `kept`, `moved` or `none`, or the day (UTC).',
    }),
  ),
  requests: Type.Integer({ description: 'Logs; with `by=model` tries.' }),
  input_tokens: tokens('As the providers told, or as estimated.'),
  output_tokens: tokens('As the providers told, or as estimated.'),
  cached_input_tokens: tokens('Of the input, what providers read from their caches.'),
  cost: nullable(Type.Number({ description: 'US dollars; null where none is known.' })),
  cache_saved: Type.Number({
    description: "US dollars that providers' caches saved, less what writing to them cost.",
  }),
});
const COLUMNS = Object.keys(rowSchema.properties) as (keyof SpendRow)[];

const fullnessSchema = Type.Object({
  per: Type.String(),
  kind: oneOf(LIMITED),
  window: oneOf(LIMIT_WINDOWS),
  limit: Type.Number(),
  action: oneOf(['reject', 'fallback', 'warn']),
  shared: Type.Boolean(),
  subject: Type.String({
    description: 'The key, endpoint or tag; of metadata a digest of the value; empty for the project.',
  }),
  used: Type.Number({ description: 'In the window that is open, by all engines.' }),
  ratio: Type.Number({ description: '1 where the limit is reached.' }),
});

export function spendRoutes(server: AdminServer, { store, directory, clock }: AdminDependencies): void {
  server.get(
    '/:project_uid/spend',
    {
      config: { access: { scope: 'logs' } },
      schema: {
        summary: 'What was spent, and on what',
        description: `From the logs of the time; the dearest first, at most ${MOST_SPEND_ROWS} rows. With \`by=tag\` a log counts for each of its tags. \`by=sticky\`: \`kept\` where the first model of the draw answered, \`moved\` where another did, \`none\` for what the log id drew.`,
        tags: ['logs'],
        params: Type.Object({ project_uid: projectUid }),
        querystring: strictObject({
          by: Type.Optional(
            oneOf(SPEND_DIMENSIONS, { default: 'day', description: 'A row for each of these.' }),
          ),
          from: filterProperties.from,
          to: filterProperties.to,
          format: Type.Optional(
            oneOf(FORMATS, { default: 'json', description: '`csv`: a table for spreadsheets.' }),
          ),
        }),
        response: { 200: list(rowSchema), ...errorResponses },
      },
    },
    async (request, reply) => {
      const { by = 'day', format = 'json' } = request.query;
      const { from: first, to: end } = readFilter({ from: request.query.from, to: request.query.to });
      const to = end ?? new Date(clock.now() + 1);
      const from = first ?? new Date(to.getTime() - MONTH_MS);
      if (from >= to) throw invalidRequest([{ path: 'from', message: 'is not before `to`' }]);
      const data = await store.spend.read(request.params.project_uid.toLowerCase(), { by, from, to });
      if (format === 'json') return { data, next_cursor: null };
      reply.header('content-type', 'text/csv; charset=utf-8');
      reply.header('content-disposition', `attachment; filename="spend-by-${by}.csv"`);
      // The server sends a string as it is, without turning it into JSON.
      return csvOf(data) as never;
    },
  );

  server.get(
    '/:project_uid/limits',
    {
      config: { access: { scope: 'logs' } },
      schema: {
        summary: 'How full limits are',
        description:
          'Of each limit with a window, those for whom it is fullest, in the window that is open; from the logs of all engines, as far as they have landed.',
        tags: ['logs'],
        params: Type.Object({ project_uid: projectUid }),
        response: { 200: list(fullnessSchema), ...errorResponses },
      },
    },
    async (request) => {
      const uid = request.params.project_uid.toLowerCase();
      const limits = directory.project(uid)?.limits ?? [];
      const prepared = prepareLimits(uid, limits);
      const now = clock.now();
      const begins = limits.flatMap(({ window }) =>
        window === undefined ? [] : [windowAt(window, now).start],
      );
      if (begins.length === 0) return { data: [], next_cursor: null };
      const used = await store.spend.counted(uid, new Date(Math.min(...begins)));
      const keyNames = new Map(directory.keys(uid).map(({ id, name }) => [id, name]));
      const data = used
        .flatMap((counted) => {
          const [id, ...rest] = counted.id.split('/');
          const found = prepared.find((limit) => limit.id === id);
          if (found === undefined || found.limit.window === undefined) return [];
          const { per, window, action, shared } = found.limit;
          const kind = kindOf(found.limit);
          const amount = kind === 'concurrent' ? 0 : counted[kind];
          const subject = rest.join('/');
          return [
            {
              per,
              kind,
              window,
              limit: found.amount,
              action,
              shared,
              subject: per === 'key' ? (keyNames.get(keyIdOf(subject)) ?? subject) : subject,
              used: Number(amount.toFixed(12)),
              ratio: Number((amount / found.amount).toFixed(4)),
            },
          ];
        })
        .sort((one, other) => other.ratio - one.ratio)
        .slice(0, MOST_SHOWN);
      return { data, next_cursor: null };
    },
  );
}

const MOST_SHOWN = 100;

/** The id of a key. Keys of the file are counted by their name and the beginning of their hash. */
function keyIdOf(subject: string): string {
  return subject.startsWith('file:') ? subject.slice(0, subject.lastIndexOf(':')) : subject;
}

function csvOf(rows: readonly SpendRow[]): string {
  const lines = rows.map((row) => COLUMNS.map((column) => cell(row[column])).join(','));
  return `${[COLUMNS.join(','), ...lines].join('\r\n')}\r\n`;
}

/**
 * One cell of a CSV file (RFC 4180). A text that a spreadsheet would read as a formula gets a prefix, so that it is
 * shown as text.
 */
function cell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
