import type { FastifyReply } from 'fastify';
import type { Static } from 'typebox';
import { Type } from '../../../core/schema-type.js';
import { MOST_TAGS } from '../../../logs/tags.js';
import { mayStillLand } from '../../../store/feedback/feedback.js';
import type { LogKey, LogPatch, VersionedLog } from '../../../store/logs/logs.js';
import { callerOf, checkScope } from '../../access/access.js';
import type { AdminServer } from '../../admin-server.js';
import type { AdminDependencies } from '../../dependencies.js';
import { asAnswer } from '../../http/as-answer.js';
import { expectedVersion, tagVersion } from '../../http/etags.js';
import { printed } from '../../http/large-answers.js';
import { answerWithLogId } from '../../http/log-id-header.js';
import {
  errorResponses,
  jsonObject,
  nullable,
  oneOf,
  projectUid,
  strictObject,
  uuid,
} from '../../schemas/common.js';
import { logSchema, QUALITY_RATINGS, toLogJson } from '../../schemas/logs.js';
import { checkMetadata, checkTags } from '../../schemas/metadata-limits.js';
import { unknownLog } from './unknown-log.js';
import { LANDING_PATIENCE_MS, lookUntil } from './wait-for-log.js';

const patchSchema = strictObject(
  {
    metadata: Type.Optional(jsonObject('Replaces all metadata. Tags are not changed.')),
    metadata_tags: Type.Optional(
      Type.Array(Type.String({ minLength: 1 }), { maxItems: MOST_TAGS, description: 'Sets the tags.' }),
    ),
    quality_rating: Type.Optional(nullable(oneOf(QUALITY_RATINGS))),
  },
  { minProperties: 1 },
);

const logId = uuid('a UUID, the id of the log');

const patchRoute = {
  summary: 'Change the metadata, the tags or the rating of a log',
  description:
    'With `If-Match` and the `ETag` that a log was read with, it is 412 where somebody changed these in the meantime.',
  tags: ['logs'],
  body: patchSchema,
  response: { 200: logSchema, ...errorResponses },
};

export function logRoutes(server: AdminServer, dependencies: AdminDependencies): void {
  serveLog(server, dependencies);
  servePatch(server, dependencies);
  servePatchWithoutProject(server, dependencies);
}

function serveLog(server: AdminServer, dependencies: AdminDependencies): void {
  const { store } = dependencies;
  server.get(
    '/:project_uid/logs/:id',
    {
      config: { access: { scope: 'logs' } },
      schema: {
        summary: 'One log, whole',
        description: 'The log of a request that has just been answered is waited for, up to 2 seconds.',
        tags: ['logs'],
        params: Type.Object({ project_uid: projectUid, id: logId }),
        response: { 200: logSchema, ...errorResponses },
      },
    },
    async (request, reply) => {
      const { project_uid, id } = request.params;
      const key = { project_uid: project_uid.toLowerCase(), id: id.toLowerCase() };
      return answer(reply, await whenLanded(dependencies, key.id, () => store.logs.getVersioned(key)));
    },
  );
}

function servePatch(server: AdminServer, dependencies: AdminDependencies): void {
  const { store, limits } = dependencies;

  server.patch(
    '/:project_uid/log/:log_id',
    {
      onRequest: answerWithLogId('log_id'),
      config: { access: { scope: 'logs' } },
      schema: { ...patchRoute, params: Type.Object({ project_uid: projectUid, log_id: logId }) },
    },
    async (request, reply) => {
      const patch = toPatch(request.body, limits().metadata_bytes);
      const key = {
        id: request.params.log_id.toLowerCase(),
        project_uid: request.params.project_uid.toLowerCase(),
      };
      const expected = expectedVersion(request);
      const changed = await whenLanded(dependencies, key.id, () => store.logs.patch(key, patch, expected));
      return answer(reply, changed);
    },
  );
}

function servePatchWithoutProject(server: AdminServer, dependencies: AdminDependencies): void {
  const { store, limits } = dependencies;

  server.patch(
    '/log/:log_id',
    {
      onRequest: answerWithLogId('log_id'),
      config: { access: { scope: 'logs', of: 'log' } },
      schema: { ...patchRoute, params: Type.Object({ log_id: logId }) },
    },
    async (request, reply) => {
      const patch = toPatch(request.body, limits().metadata_bytes);
      const id = request.params.log_id.toLowerCase();
      const caller = callerOf(request);
      // A log of another project is treated like one that does not exist, including the wait for it.
      const projectOfLog = await whenLanded(dependencies, id, async () => {
        const project = await store.logs.projectOf(id);
        return project !== undefined && (caller.isAdmin || caller.scopes.has(project)) ? project : undefined;
      });
      checkScope(caller, projectOfLog, 'logs');
      const key: LogKey = { id, project_uid: projectOfLog };
      const changed = await store.logs.patch(key, patch, expectedVersion(request));
      if (changed === undefined) throw unknownLog(id);
      return answer(reply, changed);
    },
  );
}

async function answer(reply: FastifyReply, { log, revision, isLarge }: VersionedLog): Promise<never> {
  const content = tagVersion(reply, toLogJson(log), revision);
  return asAnswer(isLarge ? await printed(reply, content) : content);
}

function toPatch(body: Static<typeof patchSchema>, metadataBytes: number): LogPatch {
  const { metadata, metadata_tags, quality_rating } = body;
  if (metadata !== undefined) checkMetadata('metadata', metadata, metadataBytes);
  if (metadata_tags !== undefined) checkTags('metadata_tags', metadata_tags, metadataBytes);
  return {
    ...(metadata === undefined ? {} : { metadata }),
    ...(metadata_tags === undefined ? {} : { tags: metadata_tags }),
    ...(quality_rating === undefined ? {} : { quality_rating }),
  };
}

/** Looks again for a while, because the log may still be on its way. Throws `not_found` where it does not arrive. */
async function whenLanded<Value>(
  dependencies: AdminDependencies,
  id: string,
  look: () => Promise<Value | undefined>,
): Promise<Value> {
  const patienceMs = mayStillLand(id, dependencies.clock) ? LANDING_PATIENCE_MS : 0;
  const value = await lookUntil(dependencies, patienceMs, look);
  if (value === undefined) throw unknownLog(id);
  return value;
}
