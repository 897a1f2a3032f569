import { DIALECT_IDS } from '../../core/dialect-ids.js';
import { Type } from '../../core/schema-type.js';
import { LIMIT_WINDOWS, LIMITED } from '../../core/settings.js';
import { jsonObject, moment, nullable, oneOf, reference } from './common.js';

export const QUALITY_RATINGS = ['👍', '👎'] as const;
export const STATUSES = ['success', 'rejected', 'invalid_output', 'error', 'aborted'] as const;

const usage = Type.Object({
  input_tokens: Type.Integer(),
  output_tokens: Type.Integer(),
  cached_input_tokens: Type.Optional(Type.Integer()),
  cached_audio_input_tokens: Type.Optional(Type.Integer({ description: 'Audio among the cached tokens.' })),
  cache_creation_input_tokens: Type.Optional(
    Type.Integer({ description: 'Written to a cache, for however long.' }),
  ),
  cache_creation_1h_input_tokens: Type.Optional(
    Type.Integer({ description: 'Of these, the tokens that are kept for an hour.' }),
  ),
  reasoning_tokens: Type.Optional(Type.Integer()),
  audio_input_tokens: Type.Optional(Type.Integer()),
  audio_output_tokens: Type.Optional(Type.Integer()),
  estimated: Type.Optional(Type.Boolean()),
});

const attempt = Type.Object({
  provider: Type.String(),
  model: Type.String(),
  status: Type.String({ description: '`success`, or why the next model was tried.' }),
  http_status: nullable(Type.Integer()),
  error: nullable(
    Type.Object({
      message: Type.String(),
      path: Type.Optional(Type.String({ description: 'The place in an invalid output.' })),
      output: Type.Optional(
        Type.String({
          description: 'The beginning of an invalid output, where it may be kept; not in lists.',
        }),
      ),
    }),
  ),
  duration_ms: Type.Number(),
  usage: nullable(usage),
  service_tier: Type.Optional(Type.String({ description: "In the provider's own word." })),
  cost: Type.Optional(Type.Number({ description: 'US dollars, where price and usage are known.' })),
  cache_saved: Type.Optional(Type.Number({ description: "US dollars that the provider's cache saved." })),
  propensity: Type.Optional(
    Type.Number({ description: 'How likely the draw of the weights put this model in this place, 0 to 1.' }),
  ),
});

const limit = Type.Object({
  id: Type.String({ description: 'Which counter: of the limit, and of whom it was counted for.' }),
  per: Type.String(),
  kind: oneOf(LIMITED),
  window: Type.Optional(oneOf(LIMIT_WINDOWS)),
  limit: Type.Number({ description: 'How much there may be.' }),
  outcome: oneOf(['passed', 'warned', 'fallback', 'rejected'], {
    description: '`passed`: there was room. Else what came of it.',
  }),
});

export const pluginRun = Type.Object({
  plugin: Type.String(),
  phase: oneOf(['request', 'response', 'log']),
  outcome: oneOf(['passed', 'rejected', 'modified', 'error', 'timeout', 'skipped']),
  observed: Type.Optional(
    Type.Literal(true, { description: 'The outcome is what would have been: its mode was `observe`.' }),
  ),
  duration_ms: Type.Number(),
  findings: Type.Array(
    Type.Object({
      type: Type.String(),
      place: Type.String(),
      start: Type.Integer(),
      end: Type.Integer(),
      score: Type.Number(),
    }),
  ),
  reason: Type.Optional(Type.String()),
  debug: Type.Optional(Type.Unknown()),
  annotations: Type.Optional(jsonObject('What the plugin wrote beside the log.')),
});

const kept = (description: string) => oneOf(['as_it_was', 'masked'], { description });

/** The fields of a log that lists show. */
const summary = {
  id: Type.String({ description: 'The same as `_id`.' }),
  _id: Type.String(),
  project_uid: Type.String(),
  created_at: moment('When the request came.'),
  endpoint: nullable(Type.String()),
  api: oneOf(DIALECT_IDS),
  status: oneOf(STATUSES),
  http_status: Type.Integer(),
  client_request_id: nullable(Type.String()),
  caller: Type.Optional(Type.String({ description: 'Who asked: `key:` and the name of the key.' })),
  key_id: Type.Optional(Type.String({ description: 'The id of that key.' })),
  preview: Type.Optional(
    Type.Object(
      { input: nullable(Type.String()), output: nullable(Type.String()) },
      {
        description:
          'The last user message (`request`) and the answer that the client got (`client_response` where it is kept, else ' +
          '`response`), one line each. Of a rejected answer it is what the model said. Absent where no content is kept, and ' +
          'in logs of older versions.',
      },
    ),
  ),
  request_kept: Type.Optional(
    kept(
      'Present where a plugin changed or rejected the request: whether `request` is what the client sent.',
    ),
  ),
  response_kept: Type.Optional(
    kept('Present where a plugin changed or rejected the answer: whether `response` is what the model said.'),
  ),
  client_response_kept: Type.Optional(
    kept(
      'Present where the client got something else than `response`. `masked` without `client_response`: it got `response` with the values that placeholders in it stand for.',
    ),
  ),
  metadata: jsonObject('As the client sent it, or as it was patched.'),
  tags: Type.Array(Type.String()),
  quality_rating: nullable(oneOf(QUALITY_RATINGS)),
  attempts: Type.Array(attempt),
  plugin_runs: Type.Array(pluginRun),
  model: nullable(Type.String({ description: '`provider/model` that answered; null where none did.' })),
  usage: nullable(usage),
  service_tier: Type.Optional(Type.String({ description: 'Of the last try, where its provider told it.' })),
  cost: nullable(Type.Number({ description: 'US dollars.' })),
  cache_saved: Type.Optional(
    Type.Number({ description: "US dollars that providers' caches saved, less what writing to them cost." }),
  ),
  timing: Type.Object({
    total_ms: Type.Number(),
    time_to_first_token_ms: nullable(Type.Number()),
    engine_ms: Type.Number(),
  }),
  cached_from: Type.Optional(
    Type.String({ description: 'The log whose answer was given again from the cache.' }),
  ),
  sticky: Type.Optional(
    Type.Object({
      by: Type.String({ description: 'What it was drawn by.' }),
      kept: Type.Boolean({ description: 'The first of the draw answered.' }),
    }),
  ),
  limits: Type.Optional(Type.Array(limit, { description: 'The limits that counted it.' })),
  trace_id: nullable(Type.String()),
  error: nullable(Type.Object({ code: Type.String(), message: Type.String() })),
  warnings: Type.Optional(
    Type.Array(Type.String(), {
      description: 'What the model was not sent of the request, since its API cannot say it.',
    }),
  ),
  stream: Type.Boolean(),
  feedback_count: Type.Integer(),
  score: nullable(Type.Number({ description: 'The weighted mean of the scores of its feedback.' })),
};

const logSummary = Type.Object(summary, { $id: 'LogSummary', description: 'A log without its bodies.' });

const log = Type.Object(
  {
    ...summary,
    request: Type.Unknown({
      description: 'The body in the dialect of the client; null where it is not kept.',
    }),
    response: Type.Unknown({
      description: 'What the model said, in that dialect, a stream put together; or the error.',
    }),
    client_response: Type.Optional(
      Type.Unknown({ description: 'What the client got, where that is not what `response` shows.' }),
    ),
  },
  { $id: 'Log', description: 'A log, whole.' },
);

export const logSummarySchema = reference(logSummary);
export const logSchema = reference(log);
export const sharedLogSchemas = [logSummary, log];

/** A log in the form in which the API returns it. */
export function toLogJson<Log extends { _id: string }>(log: Log): Log & { id: string } {
  return { id: log._id, ...log };
}
