import type { Static } from 'typebox';
import { type ErrorDetail, SluiceError } from '../../../core/errors.js';
import { Type } from '../../../core/schema-type.js';
import {
  type Dimension,
  type JudgedValue,
  signalOf,
  valuesInWords,
} from '../../../logs/judging/dimension.js';
import type { FeedbackSignal } from '../../../store/mongodb/collections.js';
import { callerOf } from '../../access/access.js';
import type { AdminServer } from '../../admin-server.js';
import type { AdminDependencies } from '../../dependencies.js';
import { invalidRequest } from '../../http/errors.js';
import { errorResponses, oneOf, projectUid, strictObject, uuid } from '../../schemas/common.js';
import { improvement } from '../../schemas/feedback-signal.js';
import { openQueue } from './definitions.js';

const logId = uuid('a UUID, the id of a log');
const comment = Type.Optional(
  Type.String({
    maxLength: 20_000,
    description: 'In words; the `qualitative_feedback` of the first signal.',
  }),
);
const given = Type.Object({ id: Type.String({ description: 'Takes it out again.' }) });
const tags = ['judging'];

const judgementSchema = strictObject({
  queue: Type.String({ maxLength: 63, description: 'The name of the queue.' }),
  log_id: logId,
  values: Type.Unsafe<Record<string, JudgedValue>>({
    type: 'object',
    additionalProperties: { type: ['number', 'string'] },
    description: 'For each dimension of the queue a number of its scale or the name of a category.',
  }),
  comment,
  improvement: Type.Optional(improvement),
});

const CHOICES = ['left', 'right', 'tie', 'both_bad'] as const;
type Choice = (typeof CHOICES)[number];

const pairSchema = strictObject({
  left: logId,
  right: logId,
  choice: oneOf(CHOICES, { description: 'Which answer is better.' }),
  comment,
});

/** The name of the signals that a choice between two answers creates. */
const PAIR_SIGNAL = 'pairwise_comparison';

/** The scores of the left and of the right answer. A tie is recorded with weight 0. */
const SCORES: Record<Choice, [left: number, right: number]> = {
  left: [1, -1],
  right: [-1, 1],
  tie: [0, 0],
  both_bad: [-1, -1],
};

export function judgementRoutes(server: AdminServer, dependencies: AdminDependencies): void {
  serveJudgement(server, dependencies);
  serveChoice(server, dependencies);
  serveRemoval(server, dependencies);
}

function serveJudgement(server: AdminServer, { store, limits }: AdminDependencies): void {
  server.post(
    '/:project_uid/judgements',
    {
      config: { access: { scope: 'feedback' } },
      schema: {
        summary: 'Judge a log of a queue',
        description:
          'Each value becomes a feedback signal with the name of its dimension, all or none of them. `metadata` of the signals names ' +
          'the queue, the value and who judged. A person judges a log once in a queue: a second time is 409 `already_judged`.',
        tags,
        params: Type.Object({ project_uid: projectUid }),
        body: judgementSchema,
        response: { 200: given, ...errorResponses },
      },
    },
    async (request) => {
      const { body } = request;
      const project_uid = request.params.project_uid.toLowerCase();
      const log_id = body.log_id.toLowerCase();
      const caller = callerOf(request);
      const { queue, dimensions } = await openQueue(store, project_uid, body.queue, caller);
      if (queue.task === 'mark_pii') {
        const message = 'people mark personal data in this queue: send it to `…/logs/{id}/pii-marks`';
        throw invalidRequest([{ path: 'queue', message }]);
      }
      const signals = signalsOf(body, dimensions, { annotator: caller.name, queue: queue.name });
      const { id } = await store.judgements.record({
        project_uid,
        annotator: caller.name,
        queue: queue.name,
        subject: `queue/${queue.name}/${log_id}`,
        values: body.values,
        signals: signals.map((signal) => ({ log_id, signal })),
        maxSignals: limits().feedback_per_log,
      });
      // Another person may be waiting for the log.
      await store.queue.release(project_uid, log_id, caller.id);
      return { id };
    },
  );
}

/** Throws `invalid_request` unless there is one value for each dimension. */
function signalsOf(
  { values, comment: words, improvement: better }: Static<typeof judgementSchema>,
  dimensions: readonly Dimension[],
  metadata: { annotator: string; queue: string },
): FeedbackSignal[] {
  const details: ErrorDetail[] = Object.keys(values)
    .filter((name) => !dimensions.some((dimension) => dimension.name === name))
    .map((name) => ({ path: `values.${name}`, message: 'is no dimension of this queue' }));
  const signals = dimensions.flatMap((dimension, index) => {
    const value = Object.hasOwn(values, dimension.name) ? values[dimension.name] : undefined;
    const judged = value === undefined ? undefined : signalOf(dimension, value);
    if (value === undefined || judged === undefined) {
      const message = value === undefined ? 'is missing' : `must be ${valuesInWords(dimension)}`;
      details.push({ path: `values.${dimension.name}`, message });
      return [];
    }
    const beside = index === 0 ? { words: words ?? null, better: better ?? null } : undefined;
    return [signal(dimension.name, judged, { ...metadata, value }, beside)];
  });
  if (details.length > 0) throw invalidRequest(details);
  return signals;
}

function signal(
  signal_name: string,
  { score, weight }: { score: number; weight: number },
  metadata: NonNullable<FeedbackSignal['metadata']>,
  { words = null, better = null }: { words?: string | null; better?: FeedbackSignal['improvement'] } = {},
): FeedbackSignal {
  return {
    score,
    weight,
    improvement: better,
    qualitative_feedback: words === '' ? null : words,
    signal_name,
    signal_source: 'user',
    signal_type: 'explicit',
    metadata,
  };
}

function serveChoice(server: AdminServer, { store, limits }: AdminDependencies): void {
  server.post(
    '/:project_uid/pairs/judgements',
    {
      config: { access: { scope: 'feedback' } },
      schema: {
        summary: 'Choose between two answers',
        description:
          `Both logs get a signal \`${PAIR_SIGNAL}\`, or neither: 1 for the better answer and −1 for the worse one, which makes a pair ` +
          'of the dpo export; −1 for both where both are bad; a weight of 0 where they are equal. A person judges a pair once, ' +
          'whichever stands left.',
        tags,
        params: Type.Object({ project_uid: projectUid }),
        body: pairSchema,
        response: { 200: given, ...errorResponses },
      },
    },
    async (request) => {
      const { choice, comment: words } = request.body;
      const project_uid = request.params.project_uid.toLowerCase();
      const ids = [request.body.left.toLowerCase(), request.body.right.toLowerCase()] as const;
      if (ids[0] === ids[1]) throw invalidRequest([{ path: 'right', message: 'is the same log as `left`' }]);
      const annotator = callerOf(request).name;
      const weight = choice === 'tie' ? 0 : 1;
      const signals = ids.map((log_id, index) => ({
        log_id,
        signal: signal(
          PAIR_SIGNAL,
          { score: SCORES[choice][index as 0 | 1], weight },
          { annotator, compared_with: ids[1 - index]!, choice: choiceOf(choice, index) },
          { words: words ?? null },
        ),
      }));
      return store.judgements.record({
        project_uid,
        annotator,
        queue: null,
        subject: pairSubject(...ids),
        values: { [PAIR_SIGNAL]: chosen(choice, ids) },
        signals,
        maxSignals: limits().feedback_per_log,
      });
    },
  );
}

/** The choice from the view of the log on this side. */
function choiceOf(choice: Choice, index: number): string {
  if (choice === 'tie' || choice === 'both_bad') return choice;
  return (choice === 'left') === (index === 0) ? 'better' : 'worse';
}

/** The chosen log, independent of which one was on the left. */
function chosen(choice: Choice, [left, right]: readonly [string, string]): string {
  return choice === 'left' ? left : choice === 'right' ? right : choice;
}

/** The name of a pair among judgements. It does not depend on which log is named first. */
export function pairSubject(one: string, other: string): string {
  return `pair/${[one, other].sort().join('/')}`;
}

function serveRemoval(server: AdminServer, { store }: AdminDependencies): void {
  server.delete(
    '/:project_uid/judgements/:judgement_id',
    {
      config: { access: { scope: 'feedback' } },
      schema: {
        summary: 'Take a judgement out again, with its feedback',
        description: "One's own; an admin key takes out any.",
        tags,
        params: Type.Object({
          project_uid: projectUid,
          judgement_id: uuid('a UUID, the id of the judgement'),
        }),
        response: { 204: Type.Null({ description: 'It is gone.' }), ...errorResponses },
      },
    },
    async (request, reply) => {
      const { project_uid, judgement_id } = request.params;
      const { name, isAdmin } = callerOf(request);
      const removed = await store.judgements.remove(
        project_uid.toLowerCase(),
        judgement_id.toLowerCase(),
        isAdmin ? undefined : name,
      );
      if (!removed) throw new SluiceError('not_found', `There is no judgement ${judgement_id} of yours.`);
      return reply.code(204).send(null);
    },
  );
}
