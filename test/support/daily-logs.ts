import type { LogRecord, PluginOutcome } from '../../src/core/log-record.js';
import { logRecord } from './log-record.js';

const answer = (content: string) => ({
  choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content } }],
});
const asked = (content: string) => ({ model: 'support', messages: [{ role: 'user', content }] });

const COUNT = { type: 'object', properties: { total: { type: 'integer' } }, required: ['total'] };
const MARKDOWN = '# An order\n\nI am **Jane Doe**.\n\n```json\n{"a": 1}\n```';
/** A run that found the eight letters of a name, with the reason for it. */
const found = (phase: 'request' | 'response', start: number, decision: object) => ({
  plugin: 'pii_detection',
  phase,
  outcome: 'passed' as const,
  duration_ms: 1,
  findings: [
    {
      type: 'PERSON',
      place: `/0/${phase === 'request' ? '' : 'message/'}parts/0/text`,
      start,
      end: start + 8,
      score: 0.85,
    },
  ],
  debug: { decisions: [{ entity_type: 'PERSON', score: 0.85, ...decision }] },
});

const failedAt = (provider: string, model: string) => ({
  provider,
  model,
  status: 'connect' as const,
  http_status: null,
  error: { message: 'connection refused' },
  duration_ms: 3,
  usage: null,
});
const ran = (plugin: string, outcome: PluginOutcome) => ({
  plugin,
  phase: 'request' as const,
  outcome,
  duration_ms: 1,
  findings: [],
});

/** More logs than one search for words without an index reads. */
export const DEEP = 1_003;

/** The logs of a day, of each kind that people look for in the dashboard. */
export function dailyLogs(): LogRecord[] {
  const long = 'The parcel is on its way. '.repeat(40_000);
  const turns = Array.from({ length: 300 }, (_, index) => ({
    role: index % 2 === 0 ? 'user' : 'assistant',
    content: `Turn ${index}.`,
  }));
  const finding = (index: number) => ({
    type: 'PERSON',
    place: '/300/parts/0/text',
    start: 4 + 26 * index,
    end: 10 + 26 * index,
    score: 0.85,
  });
  return [
    logRecord({
      tags: ['long'],
      request: { model: 'support', messages: [...turns, { role: 'user', content: long }] },
      response: answer('The short answer.'),
      plugin_runs: [
        {
          plugin: 'pii_detection',
          phase: 'request',
          outcome: 'passed',
          duration_ms: 1,
          findings: Array.from({ length: 850 }, (_, index) => finding(index)),
        },
      ],
    }),
    ...['Where is it?', 'And when?'].map((text, index) =>
      logRecord({
        tags: ['talk'],
        metadata: { session_id: 'talk-1' },
        caller: 'key:people',
        request: asked(text),
        response: answer(`Answer ${index + 1}.`),
        preview: { input: text, output: `Answer ${index + 1}.` },
        created_at: new Date(Date.now() - 60_000 + index),
      }),
    ),
    logRecord({ caller: 'key:people', created_at: new Date(Date.now() - 90 * 60_000) }),
    logRecord({
      tags: ['schema'],
      request: {
        ...asked('How many parcels?'),
        response_format: { type: 'json_schema', json_schema: { name: 'count', schema: COUNT } },
      },
      response: answer('{"total":"many"}'),
    }),
    logRecord({
      tags: ['marked'],
      request: asked(MARKDOWN),
      response: answer('{"name":"Jane Doe","total":12345678901234567890}'),
      plugin_runs: [
        found('request', MARKDOWN.indexOf('Jane'), { recognizer: 'NameRecognizer', base_score: 0.4 }),
        found('response', 9, { recognizer: 'NameRecognizer' }),
      ],
    }),
    logRecord({
      tags: ['marked'],
      request: asked('مرحبا بكم'),
      preview: { input: 'مرحبا بكم', output: null },
    }),
    ...(
      [
        [9_000, 'error'],
        [3_000, 'success'],
        [100, 'error'],
      ] as const
    ).map(([total_ms, status]) =>
      logRecord({
        tags: ['slow'],
        endpoint: 'nights',
        status,
        timing: { total_ms, time_to_first_token_ms: null, engine_ms: 1 },
      }),
    ),
    logRecord({
      tags: ['night'],
      endpoint: 'nights',
      status: 'error',
      http_status: 502,
      model: null,
      error: { code: 'upstream_unavailable', message: 'No model could be reached.' },
      attempts: [failedAt('local', 'large'), failedAt('claude', 'opus')],
    }),
    logRecord({
      endpoint: 'guarded',
      plugin_runs: [ran('webhook', 'timeout'), ran('webhook', 'error'), ran('pii_detection', 'passed')],
    }),
    logRecord({
      endpoint: 'guarded',
      status: 'error',
      plugin_runs: [ran('webhook', 'passed'), ran('pii_detection', 'rejected')],
    }),
    ...Array.from({ length: DEEP }, (_, index) =>
      logRecord({
        endpoint: 'deep',
        created_at: new Date(Date.now() - 3 * 3_600_000 - index),
        request: asked(index === 0 || index === DEEP - 1 ? `The needle ${index}.` : 'Hay.'),
      }),
    ),
    ...Array.from({ length: 6 }, () => logRecord({ tags: ['by-keys'] })),
    ...['first', 'second', 'third'].map((text) =>
      logRecord({ tags: ['judge'], request: asked(text), response: answer(`The ${text} one.`) }),
    ),
    ...['local/large', 'local/small'].map((model) =>
      logRecord({ tags: ['blind'], model, request: asked('Which?'), response: answer(`By ${model}.`) }),
    ),
  ];
}
