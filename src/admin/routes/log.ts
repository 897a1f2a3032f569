import { setTimeout as delay } from 'node:timers/promises';
import { type Static, Type } from 'typebox';
import { SluiceError } from '../../core/errors.js';
import type { LogRecord } from '../../core/log-record.js';
import { mayStillLand } from '../../store/feedback/feedback.js';
import type { LogKey, LogPatch } from '../../store/logs/logs.js';
import { callerOf, checkScope } from '../access/access.js';
import type { AdminServer } from '../admin-server.js';
import type { AdminDependencies } from '../dependencies.js';
import { answerWithLogId } from '../log-id-header.js';
import { logSchema, QUALITY_RATINGS, toLogJson } from '../log-schemas.js';
import { checkMetadata } from '../metadata-limits.js';
import { errorResponses, jsonObject, nullable, oneOf, projectUid, strictObject, uuid } from '../schemas.js';

/** More than metadata within its limit gives; MongoDB writes all of them into an index in one transaction. */
const MAX_TAGS = 10_000;

const patchSchema = strictObject(
  {
    metadata: Type.Optional(jsonObject('Replaces the metadata whole; the tags stay.')),
    metadata_tags: Type.Optional(
      Type.Array(Type.String(), { maxItems: MAX_TAGS, description: 'Sets the tags.' }),
    ),
    quality_rating: Type.Optional(nullable(oneOf(QUALITY_RATINGS))),
  },
  { minProperties: 1 },
);

/** How long a log that may be on its way is waited for. */
const PATIENCE_MS = 2000;
const LOOK_AGAIN_MS = 50;
const logId = uuid('a UUID: the id of the log');

export function logRoutes(server: AdminServer, dependencies: AdminDependencies): void {
  const { store, limits } = dependencies;

  server.get(
    '/:project_uid/logs/:id',
    {
      config: { access: { scope: 'logs' } },
      schema: {
        summary: 'One log, whole',
        tags: ['logs'],
        params: Type.Object({ project_uid: projectUid, id: logId }),
        response: { 200: logSchema, ...errorResponses },
      },
    },
    async (request) => {
      const { project_uid, id } = request.params;
      const log = await store.logs.get({ project_uid: project_uid.toLowerCase(), id: id.toLowerCase() });
      if (log === undefined) throw unknownLog(id);
      return toLogJson(log) as never;
    },
  );

  const patchRoute = {
    summary: 'Change the metadata, the tags or the rating of a log',
    tags: ['logs'],
    body: patchSchema,
    response: { 200: logSchema, ...errorResponses },
  };

  server.patch(
    '/:project_uid/log/:log_id',
    {
      onRequest: answerWithLogId('log_id'),
      config: { access: { scope: 'logs' } },
      schema: { ...patchRoute, params: Type.Object({ project_uid: projectUid, log_id: logId }) },
    },
    async (request) => {
      const patch = toPatch(request.body, limits().metadata_bytes);
      const key = {
        id: request.params.log_id.toLowerCase(),
        project_uid: request.params.project_uid.toLowerCase(),
      };
      const log = await whenLanded(dependencies, key.id, () => store.logs.patch(key, patch));
      return toLogJson(log) as never;
    },
  );

  server.patch(
    '/log/:log_id',
    {
      onRequest: answerWithLogId('log_id'),
      config: { access: { scope: 'logs', of: 'log' } },
      schema: { ...patchRoute, params: Type.Object({ log_id: logId }) },
    },
    async (request) => {
      const patch = toPatch(request.body, limits().metadata_bytes);
      const id = request.params.log_id.toLowerCase();
      const projectOfLog = await whenLanded(dependencies, id, () => store.logs.projectOf(id));
      checkScope(callerOf(request), projectOfLog, 'logs');
      const key: LogKey = { id, project_uid: projectOfLog };
      const log: LogRecord | undefined = await store.logs.patch(key, patch);
      if (log === undefined) throw unknownLog(id);
      return toLogJson(log) as never;
    },
  );
}

function toPatch(body: Static<typeof patchSchema>, metadataBytes: number): LogPatch {
  const { metadata, metadata_tags, quality_rating } = body;
  if (metadata !== undefined) checkMetadata('metadata', metadata, metadataBytes);
  return {
    ...(metadata === undefined ? {} : { metadata }),
    ...(metadata_tags === undefined ? {} : { tags: metadata_tags }),
    ...(quality_rating === undefined ? {} : { quality_rating }),
  };
}

/** Looks again for a while where the log may be on its way; throws `not_found` where it does not come. */
async function whenLanded<Value>(
  { clock }: AdminDependencies,
  id: string,
  look: () => Promise<Value | undefined>,
): Promise<Value> {
  const patienceMs = mayStillLand(id, clock) ? PATIENCE_MS : 0;
  const start = clock.monotonic();
  for (;;) {
    const value = await look();
    if (value !== undefined) return value;
    if (clock.monotonic() - start >= patienceMs) throw unknownLog(id);
    await delay(LOOK_AGAIN_MS);
  }
}

function unknownLog(id: string): SluiceError {
  return new SluiceError('not_found', `There is no log ${id} in this project.`);
}
