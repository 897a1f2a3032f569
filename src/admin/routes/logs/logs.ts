import { Type } from '../../../core/schema-type.js';
import type { AdminServer } from '../../admin-server.js';
import type { AdminDependencies } from '../../dependencies.js';
import { asAnswer } from '../../http/as-answer.js';
import { decodeTimeCursor, encodeTimeCursor } from '../../http/cursors.js';
import {
  cursorParameter,
  errorResponses,
  limitParameter,
  page,
  projectUid,
  strictObject,
} from '../../schemas/common.js';
import { filterProperties, metadataPattern, readFilter } from '../../schemas/log-filter.js';
import { logSummarySchema, toLogJson } from '../../schemas/logs.js';

const querySchema = strictObject(
  { ...filterProperties, limit: limitParameter, cursor: cursorParameter },
  { patternProperties: metadataPattern },
);

const logPage = Type.Object({
  ...page(logSummarySchema).properties,
  searched: Type.Optional(
    Type.Integer({ description: 'So many of the newest logs were looked through for the words of `q`.' }),
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
    async (request) => {
      const { limit = 50, cursor } = request.query;
      const { logs, next, searched } = await store.logs.list(
        request.params.project_uid.toLowerCase(),
        readFilter(request.query),
        { limit, after: decodeTimeCursor('logs', cursor) },
      );
      const answer = { data: logs.map(toLogJson), next_cursor: encodeTimeCursor('logs', next) };
      return asAnswer(searched === undefined ? answer : { ...answer, searched });
    },
  );
}
