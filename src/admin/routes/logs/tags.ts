import { Type } from '../../../core/schema-type.js';
import type { AdminServer } from '../../admin-server.js';
import type { AdminDependencies } from '../../dependencies.js';
import { decodeCursor, encodeCursor } from '../../http/cursors.js';
import {
  cursorParameter,
  errorResponses,
  limitParameter,
  page,
  projectUid,
  strictObject,
} from '../../schemas/common.js';

const tagSchema = Type.Object({
  tag: Type.String(),
  count: Type.Integer({ description: 'Logs that have it.' }),
});

export function tagRoutes(server: AdminServer, { store }: AdminDependencies): void {
  server.get(
    '/:project_uid/tags',
    {
      config: { access: { scope: 'logs' } },
      schema: {
        summary: 'Tags, the most frequent first',
        tags: ['logs'],
        params: Type.Object({ project_uid: projectUid }),
        querystring: strictObject({
          prefix: Type.Optional(Type.String({ maxLength: 4096, description: 'How the tag begins.' })),
          limit: limitParameter,
          cursor: cursorParameter,
        }),
        response: { 200: page(tagSchema), ...errorResponses },
      },
    },
    async (request) => {
      const { prefix, limit = 50, cursor } = request.query;
      const { tags, next } = await store.tags.list(request.params.project_uid.toLowerCase(), {
        prefix,
        limit,
        after: cursor === undefined ? undefined : readCursor(cursor),
      });
      return { data: tags, next_cursor: next && encodeCursor('tags', next.count, next.tag) };
    },
  );
}

function readCursor(cursor: string): { count: number; tag: string } {
  const [count, tag] = decodeCursor('tags', cursor, 'number', 'string');
  return { count, tag };
}
