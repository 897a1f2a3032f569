import type { FastifyReply } from 'fastify';
import { parseJson } from '../../../core/json.js';
import { Type } from '../../../core/schema-type.js';
import type { LogSummary } from '../../../store/logs/logs.js';
import type { SortedPosition, SortName } from '../../../store/logs/search/bounded-list.js';
import type { AdminServer } from '../../admin-server.js';
import type { AdminDependencies } from '../../dependencies.js';
import { asAnswer } from '../../http/as-answer.js';
import { decodeCursor, decodeTimeCursor, encodeCursor, encodeTimeCursor } from '../../http/cursors.js';
import { invalidRequest } from '../../http/errors.js';
import { printed } from '../../http/large-answers.js';
import {
  cursorParameter,
  errorResponses,
  limitParameter,
  oneOf,
  page,
  projectUid,
  strictObject,
} from '../../schemas/common.js';
import { filterProperties, metadataPattern, readFilter } from '../../schemas/log-filter.js';
import { logSummarySchema, toLogJson } from '../../schemas/logs.js';

const SORTS = ['created_at', 'duration', 'first_token', 'cost', 'tokens'] as const;

const querySchema = strictObject(
  {
    ...filterProperties,
    sort: Type.Optional(
      oneOf(SORTS, {
        default: 'created_at',
        description: 'What the list is in order of, the newest or the largest first.',
      }),
    ),
    limit: limitParameter,
    cursor: cursorParameter,
  },
  { patternProperties: metadataPattern },
);

const logPage = Type.Object({
  ...page(logSummarySchema).properties,
  searched: Type.Optional(
    Type.Integer({
      description:
        'So many of the newest logs were looked through, and there are more: for words of `q`, for numbers that have no index, or for the largest. `next_cursor` of a filter looks further.',
    }),
  ),
});

export function logListRoutes(server: AdminServer, { store }: AdminDependencies): void {
  server.get(
    '/:project_uid/logs',
    {
      config: { access: { scope: 'logs' } },
      schema: {
        summary: 'Logs, newest first',
        description:
          'All filters that are given must hold. A parameter is repeated for several values. ' +
          '`metadata.<key>=<value>` looks for a value of a top-level key of the metadata: the key is taken literally ' +
          'behind the first dot, and the value matches a string, or a number, boolean or null that is written so.',
        tags: ['logs'],
        params: Type.Object({ project_uid: projectUid }),
        querystring: querySchema,
        response: { 200: logPage, ...errorResponses },
      },
    },
    async (request, reply) => {
      const { limit = 50, cursor, sort = 'created_at', ...filter } = request.query;
      const project = request.params.project_uid.toLowerCase();
      if (sort === 'created_at') {
        const page = { limit, after: decodeTimeCursor('logs', cursor) };
        const { logs, next, searched } = await store.logs.list(project, readFilter(filter), page);
        return answer(reply, logs, encodeTimeCursor('logs', next), searched);
      }
      const page = { limit, after: readSortedCursor(sort, cursor) };
      const { logs, next, searched } = await store.logs.listBy(project, readFilter(filter), sort, page);
      return answer(reply, logs, writeSortedCursor(sort, next), searched);
    },
  );
}

async function answer(
  reply: FastifyReply,
  logs: LogSummary[],
  next_cursor: string | null,
  searched: number | undefined,
): Promise<never> {
  const shown = { data: logs.map(toLogJson), next_cursor };
  return asAnswer(await printed(reply, searched === undefined ? shown : { ...shown, searched }));
}

const NO_TIME = -1;

function writeSortedCursor(sort: SortName, next: SortedPosition | null): string | null {
  if (next === null) return null;
  const { value, created_at, id, end } = next;
  const until = end === null ? [NO_TIME, ''] : [end.created_at.getTime(), end.id];
  return encodeCursor('sorted logs', sort, JSON.stringify(value), created_at.getTime(), id, ...until);
}

/** Throws `invalid_request` for the cursor of another list, or of another order. */
function readSortedCursor(sort: SortName, cursor: string | undefined): SortedPosition | undefined {
  if (cursor === undefined) return undefined;
  const [of, written, time, id, endTime, endId] = decodeCursor(
    'sorted logs',
    cursor,
    'string',
    'string',
    'number',
    'string',
    'number',
    'string',
  );
  const value = parseJson(written);
  const [created_at, ended_at] = [new Date(time), new Date(endTime)];
  const isRead = (value === null || typeof value === 'number') && of === sort;
  if (!isRead || Number.isNaN(created_at.getTime()) || Number.isNaN(ended_at.getTime())) {
    throw invalidRequest([{ path: 'cursor', message: 'is not a cursor of this list in this order' }]);
  }
  const end = endTime === NO_TIME ? null : { created_at: ended_at, id: endId };
  return { value, created_at, id, end };
}
