import { backgroundPace } from '../../../core/pacing/background-work.js';
import { Type } from '../../../core/schema-type.js';
import { MARKS_SIGNAL, markedLines, mistakesIn, type PiiMark } from '../../../logs/export/pii-marks.js';
import { textsToMark } from '../../../logs/export/texts-to-mark.js';
import type { WalkedLog } from '../../../store/logs/log-walk.js';
import type { LogFilter } from '../../../store/logs/search/log-filter.js';
import type { FeedbackSignal } from '../../../store/mongodb/collections.js';
import { callerOf } from '../../access/access.js';
import type { AdminServer } from '../../admin-server.js';
import type { AdminDependencies } from '../../dependencies.js';
import { invalidRequest } from '../../http/errors.js';
import { jsonLines, sendLines } from '../../http/jsonl.js';
import { errorResponses, oneOf, projectUid, strictObject, uuid } from '../../schemas/common.js';
import { filterProperties, metadataPattern, readFilter } from '../../schemas/log-filter.js';
import { openQueue } from '../judging/definitions.js';
import { unknownLog } from './unknown-log.js';

const MOST_MARKS = 2_000;
const MOST_UNITS = 100_000;
const PHASES = ['request', 'response'] as const;

const tags = ['judging'];
const params = Type.Object({ project_uid: projectUid, id: uuid('a UUID, the id of the log') });
const offset = (description: string) => Type.Integer({ minimum: 0, maximum: MOST_UNITS, description });
const span = {
  start: offset('UTF-16 units before it.'),
  end: offset('UTF-16 units up to its end.'),
  type: Type.String({
    maxLength: 64,
    description: 'A type of the detector, or `_IGNORE` for what may count neither way.',
  }),
};
const where = {
  phase: oneOf(PHASES),
  place: Type.String({
    maxLength: 256,
    description: 'Which text: a JSON pointer, as findings in `plugin_runs` have it.',
  }),
};

const textsSchema = Type.Object({
  texts: Type.Array(
    Type.Object({
      ...where,
      role: Type.String(),
      text: Type.String(),
      findings: Type.Array(Type.Object({ ...span, score: Type.Number() }), {
        description: 'What the detector finds now, whatever the plugins of the endpoint look for.',
      }),
    }),
  ),
  cut: Type.Boolean({ description: 'The end of a long text, or further texts, are left out.' }),
  types: Type.Array(Type.String(), { description: 'The types of the detector.' }),
});

const marksSchema = strictObject({
  queue: Type.String({ maxLength: 63, description: 'The queue, whose `task` is `mark_pii`.' }),
  marks: Type.Array(strictObject({ ...where, ...span }), {
    maxItems: MOST_MARKS,
    description: 'Everything in the texts that is personal data. None overlaps another.',
  }),
});

export function piiMarkRoutes(server: AdminServer, dependencies: AdminDependencies): void {
  serveTexts(server, dependencies);
  serveMarks(server, dependencies);
  serveMarkedTexts(server, dependencies);
}

function serveTexts(server: AdminServer, { store, piiDetector }: AdminDependencies): void {
  server.get(
    '/:project_uid/logs/:id/pii-marks',
    {
      config: { access: { scope: 'logs' } },
      schema: {
        summary: 'The texts of a log for somebody to mark, with what the detector finds',
        description:
          'What was asked since the last answer of the model, and the answer, as the log keeps them: at most 100 texts, 20,000 ' +
          'UTF-16 units of each and 100,000 in all.',
        tags,
        params,
        response: { 200: textsSchema, ...errorResponses },
      },
    },
    async (request) => {
      const { project_uid, id } = request.params;
      const log = await store.logs.get({ project_uid: project_uid.toLowerCase(), id: id.toLowerCase() });
      if (log === undefined) throw unknownLog(id);
      const { texts, cut } = await textsToMark(log);
      const shown = [];
      for (const one of texts) shown.push({ ...one, findings: await piiDetector.find(one.text) });
      return { texts: shown, cut, types: [...piiDetector.types] };
    },
  );
}

function serveMarks(server: AdminServer, { store, limits, piiDetector }: AdminDependencies): void {
  server.post(
    '/:project_uid/logs/:id/pii-marks',
    {
      config: { access: { scope: 'feedback' } },
      schema: {
        summary: 'Say what is personal data in a log',
        description:
          'Becomes a feedback signal `pii_marks` of weight 0. `DELETE …/judgements/{id}` takes it out again. A person marks a log ' +
          'once in a queue: a second time is 409 `already_judged`.',
        tags,
        params,
        body: marksSchema,
        response: {
          200: Type.Object({ id: Type.String({ description: 'The id of the judgement.' }) }),
          ...errorResponses,
        },
      },
    },
    async (request) => {
      const project_uid = request.params.project_uid.toLowerCase();
      const log_id = request.params.id.toLowerCase();
      const { marks, queue: name } = request.body;
      const caller = callerOf(request);
      const { queue } = await openQueue(store, project_uid, name, caller);
      if (queue.task !== 'mark_pii') {
        throw invalidRequest([
          { path: 'queue', message: `people do not mark anything in the queue ${name}` },
        ]);
      }
      const log = await store.logs.get({ project_uid, id: log_id });
      if (log === undefined) throw unknownLog(log_id);
      const { texts } = await textsToMark(log);
      const mistakes = mistakesIn(marks, texts, (type) => piiDetector.types.has(type));
      if (mistakes.length > 0) throw invalidRequest(mistakes);
      const { id } = await store.judgements.record({
        project_uid,
        annotator: caller.name,
        queue: queue.name,
        subject: `queue/${queue.name}/${log_id}`,
        values: {},
        signals: [{ log_id, signal: signalOf(marks, caller.name, queue.name) }],
        maxSignals: limits().feedback_per_log,
      });
      // Another person may be waiting for the log.
      await store.queue.release(project_uid, log_id, caller.id);
      return { id };
    },
  );
}

function signalOf(marks: readonly PiiMark[], annotator: string, queue: string): FeedbackSignal {
  return {
    score: 0,
    weight: 0,
    improvement: null,
    qualitative_feedback: null,
    signal_name: MARKS_SIGNAL,
    signal_source: 'user',
    signal_type: 'explicit',
    metadata: { annotator, queue, marks: marks.map((mark) => ({ ...mark })) },
  };
}

function serveMarkedTexts(server: AdminServer, { store }: AdminDependencies): void {
  server.get(
    '/:project_uid/exports/pii.jsonl',
    {
      // A HEAD request would generate the whole export.
      exposeHeadRoute: false,
      config: { access: { scope: 'logs' } },
      schema: {
        summary: 'Marked texts for `sluice pii eval`, of filtered logs, oldest first',
        description: 'A line for each text and each person who marked it. Offsets are code points.',
        tags: ['exports'],
        params: Type.Object({ project_uid: projectUid }),
        querystring: strictObject(
          {
            ...filterProperties,
            queue: Type.Optional(
              Type.String({ maxLength: 63, description: 'What was marked in this queue.' }),
            ),
          },
          { patternProperties: metadataPattern },
        ),
        response: { 200: jsonLines, ...errorResponses },
      },
    },
    async (request, reply) => {
      const { queue, ...filter } = request.query;
      const judged: LogFilter = { ...readFilter(filter), has_feedback: true };
      const logs = store.walk.logs(request.params.project_uid.toLowerCase(), judged, 'oldest');
      return sendLines(reply, linesOf(logs, queue));
    },
  );
}

async function* linesOf(logs: AsyncGenerator<WalkedLog>, queue: string | undefined): AsyncGenerator<string> {
  const pace = backgroundPace();
  for await (const log of logs) {
    const rest = pace.pause();
    if (rest !== undefined) await rest;
    if (!log.signals.some((signal) => signal.signal_name === MARKS_SIGNAL)) continue;
    const { texts } = await textsToMark(log.record);
    for (const line of markedLines(log, texts, queue)) yield `${JSON.stringify(line)}\n`;
  }
}
