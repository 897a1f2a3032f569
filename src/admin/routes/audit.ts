import { Type } from '../../core/schema-type.js';
import type { AdminServer } from '../admin-server.js';
import type { AdminDependencies } from '../dependencies.js';
import { asAnswer } from '../http/as-answer.js';
import { decodeTimeCursor, encodeTimeCursor } from '../http/cursors.js';
import {
  cursorParameter,
  errorResponses,
  jsonObject,
  limitParameter,
  moment,
  nullable,
  page,
  strictObject,
} from '../schemas/common.js';

const entrySchema = Type.Object({
  id: Type.String(),
  at: moment('When it was changed.'),
  actor: Type.String({ description: 'The name of the admin key.' }),
  action: Type.String({ description: 'Such as `endpoint.update`.' }),
  project_uid: nullable(Type.String()),
  target: Type.String({ description: "A project's uid, a key's id or an endpoint's name." }),
  before: nullable(jsonObject('What it was, without secrets.')),
  after: nullable(jsonObject('What it is, without secrets.')),
});

export function auditRoutes(server: AdminServer, { store }: AdminDependencies): void {
  server.get(
    '/api/audit',
    {
      config: { access: 'admin' },
      schema: {
        summary: 'Who changed what, newest first',
        tags: ['administration'],
        querystring: strictObject({
          project_uid: Type.Optional(Type.String()),
          limit: limitParameter,
          cursor: cursorParameter,
        }),
        response: { 200: page(entrySchema), ...errorResponses },
      },
    },
    async (request) => {
      const { project_uid, limit = 50, cursor } = request.query;
      const position = decodeTimeCursor('audit', cursor);
      const after = position && { at: position.created_at, id: position.id };
      const which = project_uid === undefined ? {} : { project_uid: project_uid.toLowerCase() };
      const { entries, next } = await store.administration.audit(which, { limit, after });
      return asAnswer({
        data: entries,
        next_cursor: encodeTimeCursor('audit', next && { created_at: next.at, id: next.id }),
      });
    },
  );
}
