import { Type } from '../core/schema-type.js';
import { COMPATIBLE, PROVIDER_APIS, SCOPES, SEARCHES } from '../core/settings.js';
import { corsSchema } from './cors-schema.js';
import { endpointSchema } from './endpoint-schema.js';
import { limitSchema } from './limit-schema.js';
import {
  bytes,
  choice,
  choices,
  flag,
  list,
  mapOf,
  milliseconds,
  noneOr,
  optional,
  PATTERNS,
  section,
  text,
  url,
} from './schema-parts.js';

export { endpointSchema } from './endpoint-schema.js';

const perMillion = (description: string) => Type.Number({ minimum: 0, description });

const optionalPrices = {
  cached_input_per_mtok: optional(perMillion('Of input read from a cache.')),
  cached_audio_input_per_mtok: optional(perMillion('Of audio read from a cache.')),
  cache_write_per_mtok: optional(perMillion('Of input written to a cache.')),
  cache_write_1h_per_mtok: optional(perMillion('Of input written to a cache that keeps it for an hour.')),
  reasoning_per_mtok: optional(perMillion('Of output that is reasoning.')),
  audio_input_per_mtok: optional(perMillion('Of audio in the input.')),
  audio_output_per_mtok: optional(perMillion('Of audio in the output.')),
};
const replacedPrices = {
  input_per_mtok: optional(perMillion('US dollars for a million input tokens.')),
  output_per_mtok: optional(perMillion('US dollars for a million output tokens.')),
  ...optionalPrices,
};
const longContext = (description: string) =>
  optional(
    Type.Array(
      section({
        above_input_tokens: Type.Integer({
          minimum: 1,
          description: 'The step applies to requests whose whole input has more tokens.',
        }),
        ...replacedPrices,
      }),
      { minItems: 1, description },
    ),
  );
const priceSchema = section({
  input_per_mtok: perMillion('US dollars for a million input tokens.'),
  output_per_mtok: perMillion('US dollars for a million output tokens; 0 for embeddings.'),
  ...optionalPrices,
  long_context: longContext('Prices of requests with a long input.'),
  tiers: optional(
    mapOf(
      section({ ...replacedPrices, long_context: longContext('Prices of requests with a long input.') }),
      {
        description:
          "Prices of service tiers, by the provider's own word, such as `flex` or `batch`. What a tier does not price costs what the model's own prices say.",
      },
    ),
  ),
});

const providerSchema = section({
  api: choice([...PROVIDER_APIS], { description: 'The API that it speaks.' }),
  base_url: url({ description: 'Where it is: an http or https URL without query and credentials.' }),
  api_key_env: optional(
    text({ ...PATTERNS.variable, description: 'The environment variable that holds its credential.' }),
  ),
  api_key_file: optional(
    text({
      description:
        'A file that holds its credential, from the folder of this file. It is read again when it changes.',
    }),
  ),
  headers: mapOf(Type.String({ pattern: PATTERNS.headerValue.pattern }), {
    keys: PATTERNS.headerName,
    default: {},
    description: 'Headers to send with every request.',
  }),
  forward_headers: list(text({ ...PATTERNS.headerName, description: 'The name of a header.' }), {
    description:
      'Further headers of clients that go on to it, beside those of tracing, of SDKs and of its own dialect. Credentials, cookies, `openai-organization` and `openai-project` never do.',
  }),
  responses: flag({ description: 'It has the path of the OpenAI Responses API.' }),
  api_version: optional(text({ description: 'The `api-version` of Azure.' })),
  max_concurrent: optional(
    Type.Integer({
      minimum: 1,
      maximum: 100_000,
      description: 'Requests that it gets at a time, from each engine.',
    }),
  ),
  queue_ms: optional(
    Type.Integer({
      minimum: 0,
      maximum: 600_000,
      description:
        'How long a request waits for a place where `max_concurrent` are under way; then the next model is tried, or it is 503 `overloaded`. Not given: not at all.',
    }),
  ),
  compatible: optional(
    choice([...COMPATIBLE], {
      description:
        "Which server speaks OpenAI's API there: what it refuses is left out, and what it names otherwise is renamed. Without it: OpenAI's own.",
    }),
  ),
  models: mapOf(text({ description: 'A name of the catalogue, such as `openai/gpt-5-mini`.' }), {
    default: {},
    description:
      'Models whose prices come from the catalogue (`sluice models`), each by the name that it has in chains.',
  }),
  prices: mapOf(priceSchema, {
    default: {},
    description: 'Prices by model, for the cost in logs. They replace those of the catalogue.',
  }),
});

const keyText = {
  key: optional(
    Type.String({
      minLength: 1,
      maxLength: 1024,
      pattern: PATTERNS.key.pattern,
      description: 'The key itself, or else `key_env` or `key_file`.',
    }),
  ),
  key_env: optional(
    text({ ...PATTERNS.variable, description: 'The environment variable that holds the key.' }),
  ),
  key_file: optional(
    text({
      description:
        'A file that holds the key, from the folder of this file. It is read again when it changes.',
    }),
  ),
};
const keyPair = { name: text({ description: 'A name for people.' }), ...keyText };

const apiKeySchema = section({
  ...keyPair,
  scopes: choices(SCOPES, { minItems: 1, description: 'What the key may do.' }),
  endpoints: optional(
    Type.Array(text({ description: 'The name of an endpoint.' }), {
      minItems: 1,
      uniqueItems: true,
      description: 'The endpoints that the key may call. Not given: every endpoint of the project.',
    }),
  ),
});

const limitWebhookSchema = section(
  {
    url: url({ description: 'An http or https URL. It is sent a POST of JSON.' }),
    hmac_key_env: optional(
      text({
        ...PATTERNS.variable,
        description: 'The environment variable that signs what is sent: `x-sluice-signature: sha256=…`.',
      }),
    ),
  },
  { description: 'Told when a limit on tokens or costs is used by 50, 80 and 100 percent.' },
);

const projectSchema = section({
  uid: Type.String({
    pattern: PATTERNS.uuid.pattern,
    description: 'A UUID: the first segment of the paths of the project.',
  }),
  name: text({ description: 'A name for people.' }),
  api_keys: list(apiKeySchema, { description: 'The keys of clients. The admin API can add others.' }),
  endpoints: list(endpointSchema, { description: 'What clients can call. The admin API can add others.' }),
  limits: optional(
    Type.Array(limitSchema, { description: 'Limits and budgets. A request meets all that count it.' }),
  ),
  limit_webhook: optional(limitWebhookSchema),
  cors: optional(corsSchema),
  retention_days: optional(
    Type.Integer({ minimum: 1, maximum: 36_500, description: 'Logs are deleted after so many days.' }),
  ),
  search: choice(SEARCHES, {
    default: 'recent',
    description:
      'What `q` looks through: the newest 1,000 logs, or all of them by an index of their words, which is most of what storing a log costs.',
  }),
});

const limitsSchema = section(
  {
    request_body_bytes: bytes({ default: 33_554_432, description: 'The largest request body.' }),
    response_body_bytes: bytes({ default: 33_554_432, description: 'The largest answer that is held.' }),
    schema_bytes: bytes({ default: 262_144, description: 'The largest JSON Schema of a request.' }),
    metadata_bytes: bytes({ default: 65_536, description: 'The largest `metadata` of a request.' }),
    body_values: Type.Integer({
      minimum: 1,
      maximum: 10_000_000,
      default: 300_000,
      description: 'The most JSON values in one body of a client, of feedback or of a patch.',
    }),
    bodies_in_flight_bytes: bytes({
      default: 268_435_456,
      description: 'The largest size of request bodies and held answers together; over it 503 `overloaded`.',
    }),
    feedback_per_log: Type.Integer({
      minimum: 1,
      maximum: 50_000,
      default: 10_000,
      description: 'The most feedback signals of one log; more are 409 `too_many_signals`.',
    }),
  },
  { default: {}, description: 'Bounds of what clients and models send.' },
);

const spoolSchema = section(
  {
    max_bytes: Type.Integer({
      minimum: 4_096,
      maximum: Number.MAX_SAFE_INTEGER,
      default: 1_073_741_824,
      description: 'The largest size of the local queue of logs.',
    }),
    sync_ms: milliseconds({
      default: 50,
      minimum: 0,
      description: 'The longest time until a log is safe from power loss; 0: before its answer ends.',
    }),
    on_full: choice(['lose', 'refuse'], {
      default: 'lose',
      description: 'What gives way when it is full: the log, or the request (503 `spool_full`).',
    }),
  },
  { default: {}, description: 'The local queue that logs wait in on their way to MongoDB.' },
);

/** Where the engine serves Envoys of other machines. */
const engineListenSchema = section(
  {
    address: text({
      description: 'IP address and port, such as `0.0.0.0:9191`.',
      pattern: PATTERNS.address.pattern,
    }),
    tls: optional(
      noneOr(
        section({
          cert_file: text({
            description:
              'PEM file with the certificate of the engine, and those between it and its authority.',
          }),
          key_file: text({ description: 'PEM file with its key.' }),
          client_ca_file: optional(
            text({
              description:
                'PEM file with the authority that signs the certificates of Envoys. Nobody else is served.',
            }),
          ),
        }),
        {
          description:
            'How Envoys and the engine know each other. The files are read again when they change. `none`: whoever reaches the port is served, and may send any request.',
        },
      ),
    ),
  },
  {
    description:
      'Serves Envoys over TCP too, beside the Unix socket of the data directory. A loopback address needs no `tls`; any other needs `tls` with `client_ca_file`, or `tls: none`. A change needs a restart of the engine.',
  },
);

/** The whole of sluice.yaml. Its static type is the file with its defaults filled in. */
export const configSchema = section({
  providers: mapOf(providerSchema, {
    keys: PATTERNS.providerName,
    default: {},
    description: 'Where models live, by name.',
  }),
  projects: list(projectSchema, { description: 'Projects of the file. The admin API can add others.' }),
  admin_keys: list(section(keyPair), {
    description: 'Keys for administration; they open every project too.',
  }),
  limits: limitsSchema,
  plugins: list(Type.String({ minLength: 1, maxLength: 1024 }), {
    description: 'Modules of your own plugins: paths from the folder of this file, or package names.',
  }),
  model_catalogue: optional(
    text({
      description:
        'A catalogue of models to take prices from, from the folder of this file. Not given: the one that comes with this version. `sluice models update` makes one.',
    }),
  ),
  spool: spoolSchema,
  webhooks: section(
    {
      allowed_urls: list(url({ description: 'An http or https URL.' }), {
        description: 'What the URL of a webhook set by the admin API must begin with.',
      }),
    },
    { default: {}, description: 'Webhooks set by the admin API.' },
  ),
  engine: section(
    {
      workers: Type.Unsafe<number | 'auto'>({
        anyOf: [
          { type: 'integer', minimum: 1, maximum: 256 },
          { type: 'string', const: 'auto' },
        ],
        default: 1,
        description:
          'Processes that serve requests, each on a core of its own; `auto`: one for each processor. A change needs a restart of the engine and of Envoy.',
      }),
      listen: optional(engineListenSchema),
    },
    { default: {}, description: 'The engine behind Envoy.' },
  ),
  directory: section(
    {
      from: optional(
        url({
          description:
            'The URL of an admin service. Engines (`--role engine`) follow its directory then, and not MongoDB. A change needs a restart of the engines.',
        }),
      ),
      ...keyText,
    },
    {
      default: {},
      description:
        'How engines learn of the projects, keys and endpoints that the admin API made. The key is that of engines, the same on both sides: it opens the directory, takes logs (`logs.to`), and nothing else. Without one an admin service tells them nothing and takes nothing.',
    },
  ),
  logs: section(
    {
      to: optional(
        url({
          description:
            'The URL of an admin service. Engines (`--role engine`) bring their logs there then, with `directory.key`, and not to MongoDB. A change needs a restart of the engines.',
        }),
      ),
    },
    { default: {}, description: 'Where engines bring their logs.' },
  ),
  dashboard: section(
    {
      trace_url: optional(
        url({ description: 'A link from a log to its trace, with `{trace_id}` where the id belongs.' }),
      ),
    },
    { default: {}, description: 'The dashboard.' },
  ),
});
