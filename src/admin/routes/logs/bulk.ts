import { randomUUID } from 'node:crypto';
import type { Static } from 'typebox';
import { SluiceError } from '../../../core/errors.js';
import { Type } from '../../../core/schema-type.js';
import { MOST_TAGS } from '../../../logs/tags.js';
import type { BulkChange, BulkTarget } from '../../../store/logs/bulk/bulk.js';
import { callerOf, checkScope } from '../../access/access.js';
import type { AdminServer } from '../../admin-server.js';
import type { AdminDependencies } from '../../dependencies.js';
import { asAnswer } from '../../http/as-answer.js';
import { invalidRequest } from '../../http/errors.js';
import {
  errorResponses,
  jsonObject,
  moment,
  nullable,
  oneOf,
  projectUid,
  strictObject,
  uuid,
} from '../../schemas/common.js';
import { signalSchema, toSignal } from '../../schemas/feedback-signal.js';
import { bodyFilterSchema, readBodyFilter } from '../../schemas/log-filter.js';
import { QUALITY_RATINGS } from '../../schemas/logs.js';
import { checkMetadata, checkTags } from '../../schemas/metadata-limits.js';

/** 100,000 ids are 4 MB; the document of a job can hold 16 MB. */
const BODY_LIMIT_BYTES = 8 * 1024 * 1024;
const MAX_IDS = 200_000;

const tags = (description: string, tag = Type.String()) =>
  Type.Optional(Type.Array(tag, { maxItems: 1000, description }));
const changeProperties = {
  add_tags: tags('Tags to add.', Type.String({ minLength: 1 })),
  remove_tags: tags('Tags to remove, before others are added.'),
  set_metadata: Type.Optional(jsonObject('Top-level keys to set.')),
  unset_metadata: Type.Optional(
    Type.Array(Type.String(), { maxItems: 1000, description: 'Top-level keys to remove.' }),
  ),
  quality_rating: Type.Optional(nullable(oneOf(QUALITY_RATINGS))),
  feedback: Type.Optional(signalSchema),
};
const bodySchema = strictObject({
  ids: Type.Optional(
    Type.Array(uuid('a UUID, the id of a log'), {
      minItems: 1,
      maxItems: MAX_IDS,
      description: 'These logs.',
    }),
  ),
  filter: Type.Optional(bodyFilterSchema),
  ...changeProperties,
  undoable: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        'Keep what the logs were for 7 days, so that the change can be taken back by its `change_id`.',
    }),
  ),
});

const skipped = Type.Optional(
  Type.Object(
    {
      feedback: Type.Optional(Type.Integer({ description: 'They have `limits.feedback_per_log` signals.' })),
      improvement: Type.Optional(
        Type.Integer({ description: 'It does not satisfy the JSON Schema of their request.' }),
      ),
      tags: Type.Optional(Type.Integer({ description: `They would have more than ${MOST_TAGS} tags.` })),
      metadata: Type.Optional(Type.Integer({ description: 'It would be over `limits.metadata_bytes`.' })),
    },
    {
      description:
        'Present where a part of the change was too much for some logs, which stay as they are in that: how many, by part.',
    },
  ),
);

const outcomes = {
  200: Type.Object({
    matched: Type.Integer(),
    changed: Type.Integer(),
    skipped,
    change_id: Type.Optional(Type.String({ description: 'Present where the change is undoable.' })),
  }),
  202: Type.Object(
    { job_id: Type.String(), change_id: Type.Optional(Type.String()) },
    {
      description:
        'Over 10,000 logs, or so many to look through for them that it is not known: a job to poll.',
    },
  ),
  ...errorResponses,
};

const jobSchema = Type.Object({
  id: Type.String(),
  project_uid: Type.String(),
  state: oneOf(['queued', 'running', 'done', 'failed']),
  total: Type.Integer({
    description:
      'Logs that fitted when it began. At most 100,000 are counted, and a filter that no index has is counted among the newest ' +
      'logs: then it grows with `matched`.',
  }),
  matched: Type.Integer({ description: 'Logs that were looked at so far.' }),
  changed: Type.Integer({ description: 'Those of them that are different now.' }),
  skipped,
  error: nullable(Type.String()),
  created_at: moment('When it was asked for.'),
  updated_at: moment('When it last went on.'),
});

export function bulkRoutes(server: AdminServer, dependencies: AdminDependencies): void {
  serveChange(server, dependencies);
  serveUndo(server, dependencies);
  serveJob(server, dependencies);
}

function serveChange(server: AdminServer, { store, limits }: AdminDependencies): void {
  server.post(
    '/:project_uid/logs/bulk',
    {
      config: { access: { scope: 'logs' } },
      bodyLimit: BODY_LIMIT_BYTES,
      schema: {
        summary: 'Change many logs',
        description:
          '`feedback` gives each of them a signal, and needs the scope `feedback` too. What would leave a log over a limit is left out, and counted in `skipped`.',
        tags: ['logs'],
        params: Type.Object({ project_uid: projectUid }),
        body: bodySchema,
        response: outcomes,
      },
    },
    async (request, reply) => {
      const { body } = request;
      const { metadata_bytes, feedback_per_log } = limits();
      const change = readChange(body, metadata_bytes);
      if (change.feedback !== undefined) {
        checkScope(callerOf(request), request.params.project_uid, 'feedback');
      }
      const change_id = body.undoable ? randomUUID() : undefined;
      const outcome = await store.jobs.changeLogs(request.params.project_uid.toLowerCase(), {
        target: readTarget(body),
        change,
        maxSignals: feedback_per_log,
        maxTags: MOST_TAGS,
        maxMetadataBytes: metadata_bytes,
        ...(change_id === undefined ? {} : { keepAs: change_id }),
      });
      const answer = { ...outcome, ...(change_id === undefined ? {} : { change_id }) };
      return 'job_id' in answer ? reply.code(202).send(answer) : reply.code(200).send(answer);
    },
  );
}

function serveUndo(server: AdminServer, { store }: AdminDependencies): void {
  server.post(
    '/:project_uid/logs/bulk/:change_id/undo',
    {
      config: { access: { scope: 'logs' } },
      schema: {
        summary: 'Take a change of many logs back',
        description:
          'Once, within 7 days, where it was made with `undoable`. A field that was changed again since stays as it ' +
          'is. A change whose job still runs is 409 `still_running`, one of which nothing is left is 404 `not_found`.',
        tags: ['logs'],
        params: Type.Object({ project_uid: projectUid, change_id: uuid('a UUID, the id of the change') }),
        response: outcomes,
      },
    },
    async (request, reply) => {
      const { project_uid, change_id } = request.params;
      const undoing = { target: { undo: change_id.toLowerCase() }, change: {} };
      const outcome = await store.jobs.changeLogs(project_uid.toLowerCase(), undoing);
      return 'job_id' in outcome ? reply.code(202).send(outcome) : reply.code(200).send(outcome);
    },
  );
}

function serveJob(server: AdminServer, { store }: AdminDependencies): void {
  server.get(
    '/:project_uid/jobs/:job_id',
    {
      config: { access: { scope: 'logs' } },
      schema: {
        summary: 'How far a job is',
        tags: ['logs'],
        params: Type.Object({ project_uid: projectUid, job_id: uuid('a UUID, the id of the job') }),
        response: { 200: jobSchema, ...errorResponses },
      },
    },
    async (request) => {
      const { project_uid, job_id } = request.params;
      const job = await store.jobs.get(project_uid.toLowerCase(), job_id.toLowerCase());
      if (job === undefined) throw new SluiceError('not_found', `There is no job ${job_id} in this project.`);
      return asAnswer(job);
    },
  );
}

type Body = Static<typeof bodySchema>;

function readTarget({ ids, filter }: Body): BulkTarget {
  if ((ids === undefined) === (filter === undefined)) {
    throw invalidRequest([{ path: 'ids', message: 'either `ids` or `filter` is needed' }]);
  }
  if (ids !== undefined) return { ids: [...new Set(ids.map((id) => id.toLowerCase()))] };
  return { filter: readBodyFilter(filter as Static<typeof bodyFilterSchema>) };
}

function readChange(body: Body, metadataBytes: number): BulkChange {
  const names = Object.keys(changeProperties) as (keyof typeof changeProperties)[];
  const given = names.filter((name) => body[name] !== undefined);
  if (given.length === 0)
    throw invalidRequest([{ path: 'body', message: `one of ${names.join(', ')} is needed` }]);
  if (body.add_tags !== undefined) checkTags('add_tags', body.add_tags, metadataBytes);
  if (body.set_metadata !== undefined) checkMetadata('set_metadata', body.set_metadata, metadataBytes);
  const { feedback, ...change } = Object.fromEntries(given.map((name) => [name, body[name]])) as Pick<
    Body,
    keyof typeof changeProperties
  >;
  return feedback === undefined ? change : { ...change, feedback: toSignal(feedback, 'feedback') };
}
