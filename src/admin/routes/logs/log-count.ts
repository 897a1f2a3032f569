import { Type } from '../../../core/schema-type.js';
import type { AdminServer } from '../../admin-server.js';
import type { AdminDependencies } from '../../dependencies.js';
import { errorResponses, projectUid, strictObject } from '../../schemas/common.js';
import { filterProperties, metadataPattern, readFilter } from '../../schemas/log-filter.js';

/** Logs are counted up to this number, because nobody needs an exact number beyond it and counting on is expensive. */
const MAX_COUNT = 100_000;

export function logCountRoutes(server: AdminServer, { store }: AdminDependencies): void {
  server.get(
    '/:project_uid/logs/count',
    {
      config: { access: { scope: 'logs' } },
      schema: {
        summary: 'How many logs fit',
        tags: ['logs'],
        params: Type.Object({ project_uid: projectUid }),
        querystring: strictObject({ ...filterProperties }, { patternProperties: metadataPattern }),
        response: {
          200: Type.Object({
            count: Type.Integer({ description: `At most ${MAX_COUNT}.` }),
            at_least: Type.Boolean({
              description: 'Whether there may be more: what no index has is counted among the newest logs.',
            }),
          }),
          ...errorResponses,
        },
      },
    },
    async (request) => {
      const uid = request.params.project_uid.toLowerCase();
      const { count, more } = await store.logs.count(uid, readFilter(request.query), MAX_COUNT);
      return { count, at_least: more };
    },
  );
}
