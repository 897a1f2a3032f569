import { Type } from '../../../core/schema-type.js';
import { callerOf } from '../../access/access.js';
import type { AdminServer } from '../../admin-server.js';
import type { AdminDependencies } from '../../dependencies.js';
import { asAnswer } from '../../http/as-answer.js';
import { errorResponses, list, projectUid, strictObject } from '../../schemas/common.js';
import { filterProperties, metadataPattern, readFilter } from '../../schemas/log-filter.js';
import { logSchema, toLogJson } from '../../schemas/logs.js';
import { pairSubject } from '../judging/judgements.js';

const judged = Type.Array(Type.Array(Type.String()), { description: 'The ids of two logs each.' });

const promptGroups = list(Type.Object({ prompt: Type.String(), logs: Type.Array(logSchema), judged }));
const answer = Type.Object({
  ...promptGroups.properties,
  searched: Type.Optional(
    Type.Integer({
      description: 'So many of the newest logs were looked through for those that fit, and there are more.',
    }),
  ),
});

export function pairRoutes(server: AdminServer, { store }: AdminDependencies): void {
  server.get(
    '/:project_uid/pairs',
    {
      config: { access: { scope: 'logs' } },
      schema: {
        summary: 'Prompts with several answers, to be compared',
        description:
          'Of the newest 5,000 logs that fit, the successful ones of the same prompt together, at most 6 of one. ' +
          'Feedback on them makes the pairs of the dpo export. `judged` has the pairs that the caller has judged.',
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
          200: answer,
          ...errorResponses,
        },
      },
    },
    async (request) => {
      const { limit = 20, ...filter } = request.query;
      const uid = request.params.project_uid.toLowerCase();
      const { groups, searched } = await store.pairs.list(uid, readFilter(filter), limit);
      const pairs = groups.map(({ logs }) => pairsOf(logs.map(({ _id }) => _id)));
      const subjects = pairs.flat().map(([one, other]) => pairSubject(one, other));
      const known = new Set(await store.judgements.judgedBy(uid, callerOf(request).name, subjects));
      const data = groups.map(({ prompt, logs }, index) => ({
        prompt,
        logs: logs.map(toLogJson),
        judged: pairs[index]!.filter((pair) => known.has(pairSubject(...pair))),
      }));
      return asAnswer({ data, next_cursor: null, ...(searched === undefined ? {} : { searched }) });
    },
  );
}

/** All pairs of two of these ids. */
function pairsOf(ids: readonly string[]): [string, string][] {
  return ids.flatMap((one, index) => ids.slice(index + 1).map((other): [string, string] => [one, other]));
}
