import { Type } from '../../../core/schema-type.js';
import type { AdminServer } from '../../admin-server.js';
import type { AdminDependencies } from '../../dependencies.js';
import { asAnswer } from '../../http/as-answer.js';
import { errorResponses, list, projectUid, strictObject } from '../../schemas/common.js';
import { filterProperties, metadataPattern, readFilter } from '../../schemas/log-filter.js';
import { logSchema, toLogJson } from '../../schemas/logs.js';

export function pairRoutes(server: AdminServer, { store }: AdminDependencies): void {
  server.get(
    '/:project_uid/pairs',
    {
      config: { access: { scope: 'logs' } },
      schema: {
        summary: 'Prompts with several answers, to be compared',
        description:
          'Of the newest 5,000 logs that fit, the successful ones of the same prompt together, at most 6 of one. ' +
          'Feedback on them makes the pairs of the dpo export.',
        tags: ['logs'],
        params: Type.Object({ project_uid: projectUid }),
        querystring: strictObject(
          {
            ...filterProperties,
            limit: Type.Optional(
              Type.Integer({ minimum: 1, maximum: 50, default: 20, description: 'How many prompts.' }),
            ),
          },
          { patternProperties: metadataPattern },
        ),
        response: {
          200: list(Type.Object({ prompt: Type.String(), logs: Type.Array(logSchema) })),
          ...errorResponses,
        },
      },
    },
    async (request) => {
      const { limit = 20, ...filter } = request.query;
      const uid = request.params.project_uid.toLowerCase();
      const groups = await store.pairs.list(uid, readFilter(filter), limit);
      const data = groups.map(({ prompt, logs }) => ({ prompt, logs: logs.map(toLogJson) }));
      return asAnswer({ data, next_cursor: null });
    },
  );
}
