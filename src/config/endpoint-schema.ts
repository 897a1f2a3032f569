import { Type } from '../core/schema-type.js';
import { FALLBACK_REASONS, JSON_VALIDATION, PHASES, SESSION_MARKS } from '../core/settings.js';
import {
  choice,
  choices,
  flag,
  flagOr,
  jsonMap,
  list,
  milliseconds,
  optional,
  PATTERNS,
  section,
  text,
} from './schema-parts.js';

const tags = (description: string) =>
  optional(Type.Array(Type.String({ minLength: 1 }), { minItems: 1, description }));

export function whenSchema(description: string) {
  const schema = section(
    {
      tags_any: tags('At least one of these tags is there.'),
      tags_all: tags('All of these tags are there.'),
      tags_none: tags('None of these tags is there.'),
      metadata: optional(
        jsonMap({
          minProperties: 1,
          description:
            "Top-level keys of the request's metadata that must have these values, of the same type.",
        }),
      ),
    },
    { description },
  );
  return Object.assign(schema, { minProperties: 1 });
}

const modelSchema = section({
  provider: text({ description: 'The name of a provider under `providers`.' }),
  model: text({ description: 'The name that the provider gives the model.' }),
  structured_output: Type.Union([Type.Boolean(), Type.Literal('tool')], {
    default: false,
    description:
      'Whether the model accepts a JSON Schema, so that the schema of the client is passed on to it. `tool`: the model accepts no schema but calls tools, so the schema becomes a tool that it must call.',
  }),
  weight: optional(
    Type.Number({
      exclusiveMinimum: 0,
      description:
        'Models next to each other that have a weight share the traffic: one of them is drawn by weight and tried first.',
    }),
  ),
  when: optional(whenSchema('The model is tried only where all that stands here holds.')),
});

const pluginSchema = section({
  plugin: text({ description: 'The name of the plugin.' }),
  phases: choices(PHASES, {
    default: [],
    description: 'The phases in which it runs. If empty: every phase that the plugin supports.',
  }),
  config: jsonMap({ default: {}, description: "The plugin's own settings." }),
  timeout_ms: milliseconds({
    default: 1000,
    description:
      'The longest time of one run. For guards of texts, such as pii_detection: of their own work on each 64 KiB of text.',
  }),
  on_error: optional(
    choice(['allow', 'reject'], {
      description:
        'What happens to the request when a run fails or takes too long. If not set: a failed run lets the request pass, and a guard of texts that does not finish in time rejects it.',
    }),
  ),
  isolate: flag({
    description:
      'Run it in its own thread, so that it can be stopped even while it computes without a pause.',
  }),
  mode: choice(['enforce', 'observe', 'off'], {
    default: 'enforce',
    description:
      '`enforce`: it acts. `observe`: it changes nothing, and the log says what it would have done. `off`: it does not run.',
  }),
  sample: Type.Number({
    minimum: 0,
    maximum: 1,
    default: 1,
    description: 'The share of requests in which it runs, from 0 to 1.',
  }),
});

const jsonValidationSchema = section({
  tools: choice(['forced', 'all', 'none'], {
    default: JSON_VALIDATION.tools,
    description:
      'Which tool calls have their arguments checked: those of tools that are forced or `strict`, those of all tools, or none.',
  }),
  on_invalid: choice(['reject', 'release'], {
    default: JSON_VALIDATION.on_invalid,
    description:
      'What the client gets when no model gave a valid answer: an error, or the invalid answer with the header `x-sluice-valid: false`.',
  }),
  include_invalid: flag({ description: 'Include the invalid output in the `details` of the error.' }),
});

/** An endpoint as it is written in sluice.yaml and in the admin API. Its static type is the filled `Endpoint`. */
export const endpointSchema = section({
  name: text({
    description:
      'The name that clients send as `model`. It must not be `.` or `..`, because those cannot stand in an address.',
    pattern: PATTERNS.endpointName.pattern,
  }),
  models: list(modelSchema, { minItems: 1, description: 'The chain of models, tried in this order.' }),
  json_validation: flagOr(jsonValidationSchema, {
    description:
      "Check the answer against the request's JSON Schemas before the client gets it. A map has more settings; `true` is the same as an empty map.",
  }),
  schema_in_prompt: flag({
    description: 'Put the schema into the prompt of models without structured output.',
  }),
  unwrap_fences: flag({ description: 'Remove a Markdown code fence around JSON before it is checked.' }),
  explain_invalid: flag({
    description: 'Tell the next model why the answer of the previous one was invalid.',
  }),
  same_vectors: flag({
    description:
      'The models of the chain give comparable vectors although their names differ, so another model may answer a request for embeddings.',
  }),
  fallback_on: choices(FALLBACK_REASONS, {
    default: FALLBACK_REASONS,
    description:
      'The failures after which the next model is tried. Other failures go to the client as they came.',
  }),
  timeout_ms: milliseconds({
    default: 60_000,
    description: 'The longest time of one attempt, until its answer is released to the client.',
  }),
  total_timeout_ms: milliseconds({
    default: 600_000,
    description: 'The longest time of all attempts together, until an answer is released.',
  }),
  stream_idle_timeout_ms: milliseconds({
    default: 120_000,
    description: 'The longest gap between two events of a released stream.',
  }),
  first_token_timeout_ms: optional(
    Type.Integer({
      minimum: 1,
      maximum: 2_147_483_647,
      description:
        'The longest time until the first text of a stream. After it the next model is tried, as after `timeout_ms`.',
    }),
  ),
  log_content: choice(['masked', 'full', 'none'], {
    default: 'masked',
    description:
      'What logs keep of messages. `masked`: what was passed on, with findings masked. `full`: everything as it came. `none`: nothing.',
  }),
  sticky: optional(
    section(
      {
        by: Type.Array(
          Type.String({
            pattern: PATTERNS.stickyMark.pattern,
            description: '`metadata.KEY`, `header.NAME`, or `conversation` (its first messages).',
          }),
          {
            minItems: 1,
            default: [...SESSION_MARKS],
            description:
              'What identifies a conversation: the first of these that a request has. If not set: the headers in which coding agents name their sessions, and otherwise the first messages of the conversation.',
          },
        ),
      },
      {
        description:
          'Requests of one conversation go to the same one of the models that share traffic by weight, as long as that model works.',
      },
    ),
  ),
  cache: optional(
    section(
      {
        ttl_s: Type.Integer({
          minimum: 1,
          maximum: 2_592_000,
          description: 'How long an answer is kept, in seconds.',
        }),
        scope: choice(['key', 'project'], {
          default: 'key',
          description: 'Who gets a kept answer: only the key that asked for it, or every key of the project.',
        }),
        vary_by: Type.Array(Type.String({ minLength: 1 }), {
          default: [],
          description: 'Metadata keys that answers depend on. Other metadata is ignored.',
        }),
        coalesce: Type.Boolean({
          default: true,
          description: 'Identical requests that arrive at the same time call a model once.',
        }),
        shared: flag({ description: 'Only `false` is accepted, because each engine has its own cache.' }),
      },
      { description: 'Answer exactly the same request again from a cache.' },
    ),
  ),
  plugins: list(pluginSchema, {
    description: 'The plugins that run on requests, answers and logs, in this order.',
  }),
});
