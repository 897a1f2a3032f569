import type { Static } from 'typebox';
import { SluiceError } from '../../../core/errors.js';
import { Type } from '../../../core/schema-type.js';
import type { SignalInput } from '../../../store/feedback/feedback.js';
import type { AdminServer } from '../../admin-server.js';
import type { AdminDependencies } from '../../dependencies.js';
import { asAnswer } from '../../http/as-answer.js';
import { decodeTimeCursor, encodeTimeCursor } from '../../http/cursors.js';
import { invalidRequest } from '../../http/errors.js';
import { answerWithLogId } from '../../http/log-id-header.js';
import {
  cursorParameter,
  errorResponses,
  jsonObject,
  limitParameter,
  moment,
  nullable,
  oneOf,
  page,
  projectUid,
  strictObject,
  uuid,
} from '../../schemas/common.js';
import {
  improvement,
  SIGNAL_SOURCES,
  SIGNAL_TYPES,
  signalSchema,
  toSignal,
} from '../../schemas/feedback-signal.js';
import { unknownLog } from './unknown-log.js';
import { LANDING_PATIENCE_MS, lookUntil } from './wait-for-log.js';

const recordedSchema = Type.Object({
  id: Type.String(),
  project_uid: Type.String(),
  log_id: Type.String(),
  created_at: moment('When it was recorded.'),
  score: Type.Number(),
  weight: Type.Number(),
  improvement: nullable(improvement),
  qualitative_feedback: nullable(Type.String()),
  signal_name: nullable(Type.String()),
  signal_source: oneOf(SIGNAL_SOURCES),
  signal_type: oneOf(SIGNAL_TYPES),
  metadata: nullable(jsonObject('More about the signal.')),
});

const KEY_FORM = /^[\x20-\x7e]{1,255}$/;

const idempotencyHeaders = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({ description: 'A repeat with the same key gets the same answer and counts once.' }),
  ),
});
const givenSchema = Type.Object(
  { id: Type.String(), message: Type.String() },
  { description: 'The signal is durable.' },
);

export function feedbackRoutes(server: AdminServer, dependencies: AdminDependencies): void {
  serveFeedbackOnLog(server, dependencies);
  serveFeedbackByRequest(server, dependencies);
  serveSignals(server, dependencies);
  serveRemoval(server, dependencies);
}

function serveFeedbackOnLog(server: AdminServer, dependencies: AdminDependencies): void {
  server.post(
    '/:project_uid/feedback/:inference_log_id',
    {
      onRequest: answerWithLogId('inference_log_id'),
      config: { access: { scope: 'feedback' } },
      schema: {
        summary: 'Give feedback on a log',
        tags: ['feedback'],
        params: Type.Object({ project_uid: projectUid, inference_log_id: uuid('a UUID, the id of the log') }),
        headers: idempotencyHeaders,
        body: signalSchema,
        response: { 200: givenSchema, ...errorResponses },
      },
    },
    async (request) => {
      const { project_uid, inference_log_id } = request.params;
      return record(dependencies, request, {
        project_uid: project_uid.toLowerCase(),
        log_id: inference_log_id.toLowerCase(),
      });
    },
  );
}

function serveFeedbackByRequest(server: AdminServer, dependencies: AdminDependencies): void {
  const { store } = dependencies;

  server.post(
    '/:project_uid/feedback/by-request/:client_request_id',
    {
      config: { access: { scope: 'feedback' } },
      onRequest: answerWithLogId('inference_log_id'),
      schema: {
        summary: "Give feedback on the newest log of a client's own request id",
        description:
          'For clients that hide the header with the id of the log. The log is waited for up to 2 s.',
        tags: ['feedback'],
        params: Type.Object({
          project_uid: projectUid,
          client_request_id: Type.String({ description: 'The `x-client-request-id` of the request.' }),
        }),
        headers: idempotencyHeaders,
        body: signalSchema,
        response: { 200: givenSchema, ...errorResponses },
      },
    },
    async (request, reply) => {
      const { project_uid: written, client_request_id } = request.params;
      const project_uid = written.toLowerCase();
      const log_id = await lookUntil(dependencies, LANDING_PATIENCE_MS, () =>
        store.logs.newestOfRequest(project_uid, client_request_id),
      );
      if (log_id === undefined) {
        throw new SluiceError(
          'not_found',
          `There is no log of the request ${client_request_id} in this project.`,
        );
      }
      reply.header('x-inference-log-id', log_id);
      return record(dependencies, request, { project_uid, log_id, namedBy: `request ${client_request_id}` });
    },
  );
}

const logParams = { project_uid: projectUid, id: uuid('a UUID, the id of the log') };

function serveSignals(server: AdminServer, { store }: AdminDependencies): void {
  server.get(
    '/:project_uid/logs/:id/feedback',
    {
      config: { access: { scope: 'logs' } },
      schema: {
        summary: 'The feedback on a log, oldest first',
        tags: ['feedback'],
        params: Type.Object(logParams),
        querystring: strictObject({ limit: limitParameter, cursor: cursorParameter }),
        response: { 200: page(recordedSchema), ...errorResponses },
      },
    },
    async (request) => {
      const key = {
        project_uid: request.params.project_uid.toLowerCase(),
        id: request.params.id.toLowerCase(),
      };
      const after = decodeTimeCursor('feedback', request.query.cursor);
      const { signals, next } = await store.feedback.list(key.project_uid, key.id, {
        limit: request.query.limit ?? 50,
        after,
      });
      if (signals.length === 0 && !(await store.logs.exists(key))) throw unknownLog(key.id);
      return asAnswer({ data: signals, next_cursor: encodeTimeCursor('feedback', next) });
    },
  );
}

function serveRemoval(server: AdminServer, { store }: AdminDependencies): void {
  server.delete(
    '/:project_uid/logs/:id/feedback/:feedback_id',
    {
      config: { access: { scope: 'feedback' } },
      schema: {
        summary: 'Take a signal out again',
        description:
          'A signal of a judgement leaves it, and the other answers of that person stay. A choice between two answers goes ' +
          'whole, with its signal on the other log.',
        tags: ['feedback'],
        params: Type.Object({ ...logParams, feedback_id: uuid('a UUID, the id of the signal') }),
        response: {
          204: Type.Null({ description: 'It is gone, and no part of the score.' }),
          ...errorResponses,
        },
      },
    },
    async (request, reply) => {
      const { project_uid, id, feedback_id } = request.params;
      const removed = await store.judgements.removeSignal(
        project_uid.toLowerCase(),
        id.toLowerCase(),
        feedback_id.toLowerCase(),
      );
      if (!removed) throw new SluiceError('not_found', `There is no signal ${feedback_id} on this log.`);
      return reply.code(204).send(null);
    },
  );
}

interface Idempotency {
  'idempotency-key'?: string;
}

type LogName = Pick<SignalInput, 'project_uid' | 'log_id' | 'namedBy'>;

async function record(
  { store, limits }: AdminDependencies,
  request: { body: Static<typeof signalSchema>; headers: Idempotency },
  log: LogName,
) {
  const { id } = await store.feedback.record({
    ...log,
    idempotencyKey: checkIdempotencyKey(request.headers['idempotency-key']),
    maxSignals: limits().feedback_per_log,
    signal: toSignal(request.body),
  });
  return { id, message: 'The feedback was recorded.' };
}

function checkIdempotencyKey(key: string | undefined): string | undefined {
  if (key === undefined || KEY_FORM.test(key)) return key;
  throw invalidRequest([{ path: 'Idempotency-Key', message: 'must be 1 to 255 printable ASCII characters' }]);
}
