import type { FastifyReply } from 'fastify';
import type { Static } from 'typebox';
import { SluiceError } from '../../../core/errors.js';
import { Type } from '../../../core/schema-type.js';
import type { QueueReach } from '../../../store/logs/queue/judging-queue.js';
import type { LogFilter } from '../../../store/logs/search/log-filter.js';
import type { Store } from '../../../store/store.js';
import { callerOf } from '../../access/access.js';
import type { Caller } from '../../access/callers.js';
import type { AdminServer } from '../../admin-server.js';
import type { AdminDependencies } from '../../dependencies.js';
import { asAnswer } from '../../http/as-answer.js';
import { invalidRequest } from '../../http/errors.js';
import { tagVersion } from '../../http/etags.js';
import { printed } from '../../http/large-answers.js';
import { errorResponses, moment, projectUid, strictObject, uuid } from '../../schemas/common.js';
import { bodyFilterSchema, readBodyFilter } from '../../schemas/log-filter.js';
import { logSchema, toLogJson } from '../../schemas/logs.js';
import { openQueue } from '../judging/definitions.js';

const MAX_SKIPPED = 1000;

const access = { scope: 'logs' } as const;
const tags = ['logs'];

export function queueRoutes(server: AdminServer, dependencies: AdminDependencies): void {
  serveNext(server, dependencies);
  serveRelease(server, dependencies);
}

function serveNext(server: AdminServer, { store }: AdminDependencies): void {
  server.post(
    '/:project_uid/queue/next',
    {
      config: { access },
      schema: {
        summary: 'The next log to judge, which nobody else is given for five minutes',
        description:
          'The newest log that fits the filter and has neither feedback nor a rating, unless the filter asks for ' +
          'logs that have. Asking again gives the same log until it is judged, given back, or in `skip`. With `queue` it is a named ' +
          'queue: its filter holds, and a log stays until as many people have judged it there as the queue asks for. Logs that lie between judged ones come last.',
        tags,
        params: Type.Object({ project_uid: projectUid }),
        body: strictObject({
          filter: Type.Optional(bodyFilterSchema),
          queue: Type.Optional(
            Type.String({ maxLength: 63, description: 'The name of a queue, in place of a filter.' }),
          ),
          skip: Type.Optional(
            Type.Array(uuid('a UUID, the id of a log'), {
              maxItems: MAX_SKIPPED,
              description: 'Logs to leave out.',
            }),
          ),
          older_than: Type.Optional(
            moment('Only logs that came before this moment, such as the `x-sluice-older-than` of an answer.'),
          ),
        }),
        response: {
          200: Type.Object({
            log: logSchema,
            left: Type.Integer({
              description:
                'Logs that wait, this one included; at most 1,000 are counted, among the next few thousand that the filter finds.',
            }),
            leased_until: moment('Until then nobody else is given the log.'),
          }),
          204: Type.Null({
            description:
              'No log waits that others do not have. Where not all logs were looked through, the header ' +
              '`x-sluice-searched` tells how many were: the newest ones. Ask with `older_than` as in the header ' +
              '`x-sluice-older-than` to look through older ones.',
          }),
          ...errorResponses,
        },
      },
    },
    async (request, reply) => {
      const project_uid = request.params.project_uid.toLowerCase();
      const caller = callerOf(request);
      const { skip = [], older_than } = request.body;
      const wanted = await whichLogs(store, project_uid, request.body, caller);
      const queued = await store.queue.next({
        project_uid,
        holder: caller.id,
        ...wanted,
        filter: olderThan(wanted.filter, older_than),
        skip: skip.map((id) => id.toLowerCase()),
      });
      if (!('log' in queued)) {
        if (queued.looked !== undefined) tellReach(reply, queued.looked);
        return reply.code(204).send(null);
      }
      const { log, revision, isLarge, left, leased_until } = queued;
      const content = tagVersion(reply, { log: toLogJson(log), left, leased_until }, revision);
      return asAnswer(isLarge ? await printed(reply, content) : content);
    },
  );
}

function olderThan(filter: LogFilter, moment: string | undefined): LogFilter {
  if (moment === undefined) return filter;
  const to = new Date(moment);
  return filter.to !== undefined && filter.to < to ? filter : { ...filter, to };
}

/** Other logs of the same millisecond as the oldest one may still be to be looked through. */
function tellReach(reply: FastifyReply, { searched, end }: QueueReach): void {
  reply.header('x-sluice-searched', searched);
  reply.header('x-sluice-older-than', new Date(end.getTime() + 1).toISOString());
}

interface Wanted {
  filter?: Static<typeof bodyFilterSchema>;
  queue?: string;
}

/** Throws `invalid_request` unless the body has either a filter or the name of a queue. */
async function whichLogs(store: Store, projectUid: string, { filter, queue: name }: Wanted, caller: Caller) {
  if ((filter === undefined) === (name === undefined)) {
    throw invalidRequest([{ path: 'filter', message: 'either `filter` or `queue` is needed' }]);
  }
  if (filter !== undefined) return { filter: readBodyFilter(filter) };
  const { queue } = await openQueue(store, projectUid, name!, caller);
  return {
    filter: readBodyFilter(queue.filter),
    named: {
      name: queue.name,
      judges: queue.judges,
      annotator: caller.name,
      ...(queue.sample === undefined ? {} : { sample: queue.sample }),
    },
  };
}

function serveRelease(server: AdminServer, { store }: AdminDependencies): void {
  server.delete(
    '/:project_uid/queue/:log_id',
    {
      config: { access },
      schema: {
        summary: 'Give a log back to the queue',
        tags,
        params: Type.Object({ project_uid: projectUid, log_id: uuid('a UUID, the id of the log') }),
        response: { 204: Type.Null({ description: 'Others can be given it.' }), ...errorResponses },
      },
    },
    async (request, reply) => {
      const { project_uid, log_id } = request.params;
      const holder = callerOf(request).id;
      if (!(await store.queue.release(project_uid.toLowerCase(), log_id.toLowerCase(), holder))) {
        throw new SluiceError('not_found', `You do not have the log ${log_id}.`);
      }
      return reply.code(204).send(null);
    },
  );
}
