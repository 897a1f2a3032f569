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
          description: "Top-level keys of the request's metadata with these values, equal with their type.",
        }),
      ),
    },
    { description },
  );
  return Object.assign(schema, { minProperties: 1 });
}

const modelSchema = section({
  provider: text({ description: 'A name under `providers`.' }),
  model: text({ description: "The provider's name of the model." }),
  structured_output: Type.Union([Type.Boolean(), Type.Literal('tool')], {
    default: false,
    description:
      "The model takes a JSON Schema: the client's is then passed on to it. `tool`: it takes none but calls tools, and the schema becomes a tool that it must call.",
  }),
  weight: optional(
    Type.Number({
      exclusiveMinimum: 0,
      description: 'Neighbours with a weight are one rank: the weights draw which of them is tried first.',
    }),
  ),
  when: optional(whenSchema('The model is tried only where all that stands here holds.')),
});

const pluginSchema = section({
  plugin: text({ description: 'The name of the plugin.' }),
  phases: choices(PHASES, {
    default: [],
    description: 'When it runs. Empty: in every phase that the plugin supports.',
  }),
  config: jsonMap({ default: {}, description: "The plugin's own settings." }),
  timeout_ms: milliseconds({
    default: 1000,
    description:
      'How long one run may take. For guards of texts, such as pii_detection: their own work on each 64 KiB of text.',
  }),
  on_error: optional(
    choice(['allow', 'reject'], {
      description:
        'What a failed or late run means for the request. Not given: an error lets it go on; a guard of texts that did not get through in its time refuses it.',
    }),
  ),
  isolate: flag({
    description: 'Run it in a thread of its own, which can be stopped even if it never yields.',
  }),
  mode: choice(['enforce', 'observe', 'off'], {
    default: 'enforce',
    description:
      '`observe`: the log says what it would have done, and nothing changes. `off`: it does not run.',
  }),
  sample: Type.Number({
    minimum: 0,
    maximum: 1,
    default: 1,
    description: 'The share of exchanges that it runs in, drawn by the log id.',
  }),
});

const jsonValidationSchema = section({
  tools: choice(['forced', 'all', 'none'], {
    default: JSON_VALIDATION.tools,
    description:
      'Whose arguments are checked: of tools that the model is made to call or that are `strict`, of all tools, of none.',
  }),
  on_invalid: choice(['reject', 'release'], {
    default: JSON_VALIDATION.on_invalid,
    description:
      'What becomes of an invalid answer where no model is left: an error, or the answer itself with `x-sluice-valid: false`.',
  }),
  include_invalid: flag({ description: 'Show the invalid output in the `details` of the error.' }),
});

/** An endpoint as it is written in sluice.yaml and in the admin API. Its static type is the filled `Endpoint`. */
export const endpointSchema = section({
  name: text({
    description: 'What clients send as `model`. Not `.` or `..`, which no address can name.',
    pattern: PATTERNS.endpointName.pattern,
  }),
  models: list(modelSchema, { minItems: 1, description: 'The chain of models, tried in this order.' }),
  json_validation: flagOr(jsonValidationSchema, {
    description:
      "Check the answer against the request's JSON Schemas before the client gets it. A map says more; `true` is a map with nothing in it.",
  }),
  schema_in_prompt: flag({
    description: 'Tell the schema in the prompt to models without structured output.',
  }),
  unwrap_fences: flag({ description: 'Take JSON out of a Markdown code fence before it is checked.' }),
  explain_invalid: flag({
    description: 'Tell the next model what was wrong with the invalid answer before.',
  }),
  same_vectors: flag({
    description:
      'Models of different names give vectors that can be compared, so that one may answer embeddings in place of another.',
  }),
  fallback_on: choices(FALLBACK_REASONS, {
    default: FALLBACK_REASONS,
    description: 'Why the next model is tried. What is not listed goes to the client as it came.',
  }),
  timeout_ms: milliseconds({
    default: 60_000,
    description: 'One try, until its answer is released to the client.',
  }),
  total_timeout_ms: milliseconds({
    default: 600_000,
    description: 'All tries together, until an answer is released.',
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
        'One try of a stream, until its first text; then the next model is tried, as after `timeout_ms`.',
    }),
  ),
  log_content: choice(['masked', 'full', 'none'], {
    default: 'masked',
    description: 'What logs hold of messages: what went on with findings masked, all as it came, or nothing.',
  }),
  sticky: optional(
    section(
      {
        by: Type.Array(
          Type.String({
            pattern: PATTERNS.stickyMark.pattern,
            description: '`metadata.KEY`, `header.NAME`, or `conversation` (what it begins with).',
          }),
          {
            minItems: 1,
            default: [...SESSION_MARKS],
            description:
              'What belongs together: the first of these that a request has. Not given: the headers by which coding agents name their sessions, else what the conversation begins with.',
          },
        ),
      },
      {
        description:
          'What belongs together goes to the same model of a weighted rank, as long as that one serves.',
      },
    ),
  ),
  cache: optional(
    section(
      {
        ttl_s: Type.Integer({
          minimum: 1,
          maximum: 2_592_000,
          description: 'How long an answer is given again, in seconds.',
        }),
        scope: choice(['key', 'project'], {
          default: 'key',
          description: 'Who is given what was asked for: the same key alone, or every key of the project.',
        }),
        vary_by: Type.Array(Type.String({ minLength: 1 }), {
          default: [],
          description:
            'Keys of the metadata that answers depend on. The rest of the metadata does not count.',
        }),
        coalesce: Type.Boolean({
          default: true,
          description: 'The same requests at a time ask a model once.',
        }),
        shared: flag({ description: 'Each engine has a cache of its own: only `false` is taken.' }),
      },
      { description: 'Answers that are given again to exactly the same request.' },
    ),
  ),
  plugins: list(pluginSchema, { description: 'What runs on requests, answers and logs, in this order.' }),
});
