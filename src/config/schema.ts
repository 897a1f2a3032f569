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
          "Prices of service tiers, by the provider's name for them, such as `flex` or `batch`. Where a tier has no price, the model's own price counts.",
      },
    ),
  ),
});

const providerSchema = section({
  api: choice([...PROVIDER_APIS], { description: 'The API of the provider.' }),
  base_url: url({ description: 'Its address: an http or https URL without a query and credentials.' }),
  api_key_env: optional(
    text({ ...PATTERNS.variable, description: 'The environment variable that has its credential.' }),
  ),
  api_key_file: optional(
    text({
      description:
        'A file that has its credential. Paths start at the folder of this file. It is read again when it changes.',
    }),
  ),
  headers: mapOf(Type.String({ pattern: PATTERNS.headerValue.pattern }), {
    keys: PATTERNS.headerName,
    default: {},
    description: 'Headers to send with every request.',
  }),
  forward_headers: list(text({ ...PATTERNS.headerName, description: 'The name of a header.' }), {
    description:
      'More headers of clients to pass on, beside those of tracing, of SDKs and of the API. Credentials, cookies, `openai-organization` and `openai-project` are never passed on.',
  }),
  responses: flag({ description: 'Whether it serves the OpenAI Responses API.' }),
  api_version: optional(text({ description: 'The `api-version` of Azure.' })),
  max_concurrent: optional(
    Type.Integer({
      minimum: 1,
      maximum: 100_000,
      description: 'The most requests at a time, from each engine.',
    }),
  ),
  queue_ms: optional(
    Type.Integer({
      minimum: 0,
      maximum: 600_000,
      description:
        'How long a request waits while `max_concurrent` requests are running. After that the next model is tried, or the client gets 503 `overloaded`. If not set: it does not wait.',
    }),
  ),
  compatible: optional(
    choice([...COMPATIBLE], {
      description:
        "Which server speaks OpenAI's API here. Members that it rejects are left out, and those that it names differently are renamed. If not set: OpenAI itself.",
    }),
  ),
  models: mapOf(text({ description: 'A name of the catalogue, such as `openai/gpt-5-mini`.' }), {
    default: {},
    description: 'Models whose prices come from the catalogue (`sluice models`), by their names in chains.',
  }),
  prices: mapOf(priceSchema, {
    default: {},
    description: 'Prices by model, for the costs in logs. They replace those of the catalogue.',
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
    text({ ...PATTERNS.variable, description: 'The environment variable that has the key.' }),
  ),
  key_file: optional(
    text({
      description:
        'A file that has the key. Paths start at the folder of this file. It is read again when it changes.',
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
      description: 'The endpoints that the key may call. If not set: every endpoint of the project.',
    }),
  ),
});

const limitWebhookSchema = section(
  {
    url: url({ description: 'An http or https URL, which gets a POST with JSON.' }),
    hmac_key_env: optional(
      text({
        ...PATTERNS.variable,
        description:
          'The environment variable with the key that signs each call: `x-sluice-signature: sha256=…`.',
      }),
    ),
  },
  { description: 'Called when 50, 80 and 100 percent of a limit on tokens or costs are used.' },
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
    Type.Array(limitSchema, {
      description: 'Limits and budgets. A request must stay within all that apply to it.',
    }),
  ),
  limit_webhook: optional(limitWebhookSchema),
  cors: optional(corsSchema),
  retention_days: optional(
    Type.Integer({ minimum: 1, maximum: 36_500, description: 'Logs are deleted after this many days.' }),
  ),
  search: choice(SEARCHES, {
    default: 'recent',
    description:
      'What the filter `q` searches: the newest 1,000 logs, or all logs by an index of their words. The index is most of the cost of storing a log.',
  }),
});

const limitsSchema = section(
  {
    request_body_bytes: bytes({ default: 33_554_432, description: 'The largest request body.' }),
    response_body_bytes: bytes({
      default: 33_554_432,
      description: 'The largest answer that is held back, such as for validation.',
    }),
    schema_bytes: bytes({ default: 262_144, description: 'The largest JSON Schema of a request.' }),
    metadata_bytes: bytes({ default: 65_536, description: 'The largest `metadata` of a request.' }),
    body_values: Type.Integer({
      minimum: 1,
      maximum: 10_000_000,
      default: 300_000,
      description: 'The most JSON values in one body: of a request, of feedback or of a patch.',
    }),
    bodies_in_flight_bytes: bytes({
      default: 268_435_456,
      description:
        'The largest total size of request bodies and held answers. Above it clients get 503 `overloaded`.',
    }),
    feedback_per_log: Type.Integer({
      minimum: 1,
      maximum: 50_000,
      default: 10_000,
      description: 'The most feedback signals of one log. More are refused with 409 `too_many_signals`.',
    }),
  },
  { default: {}, description: 'Bounds for what clients and models send.' },
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
      description:
        'The longest time until a log is safe from a power loss. 0: it is safe before its answer ends.',
    }),
    on_full: choice(['lose', 'refuse'], {
      default: 'lose',
      description:
        'What happens when it is full. `lose`: new logs are lost. `refuse`: requests are refused with 503 `spool_full`.',
    }),
  },
  { default: {}, description: 'The local queue in which logs wait on their way to MongoDB.' },
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
            description: 'PEM file with the certificate of the engine and the intermediate certificates.',
          }),
          key_file: text({ description: 'PEM file with the key of that certificate.' }),
          client_ca_file: optional(
            text({
              description:
                'PEM file with the authority that signs the certificates of Envoys. Other clients are refused.',
            }),
          ),
        }),
        {
          description:
            'How Envoys and the engine identify each other. The files are read again when they change. `none`: everybody who reaches the port is served, and can send any request.',
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
    description: 'The deployments of models, by name.',
  }),
  projects: list(projectSchema, { description: 'Projects of the file. The admin API can add others.' }),
  admin_keys: list(section(keyPair), {
    description: 'Keys for administration. They open every project too.',
  }),
  limits: limitsSchema,
  plugins: list(Type.String({ minLength: 1, maxLength: 1024 }), {
    description:
      'Modules of your own plugins: package names, or paths that start at the folder of this file.',
  }),
  model_catalogue: optional(
    text({
      description:
        'A catalogue of models with their prices. Paths start at the folder of this file. If not set: the catalogue of this version. `sluice models update` makes one.',
    }),
  ),
  spool: spoolSchema,
  webhooks: section(
    {
      allowed_urls: list(url({ description: 'An http or https URL.' }), {
        description: 'Prefixes of the URLs that webhooks of the admin API may have.',
      }),
    },
    { default: {}, description: 'Webhooks that are set by the admin API.' },
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
          'The number of processes that serve requests. `auto`: one for each processor. A change needs a restart of the engine and of Envoy.',
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
            'The URL of an admin service, from which engines (`--role engine`) learn of projects, keys and endpoints instead of from MongoDB. A change needs a restart of the engines.',
        }),
      ),
      ...keyText,
    },
    {
      default: {},
      description:
        'How engines learn of the projects, keys and endpoints that were made with the admin API. Engines and the admin service have the same key here. It only opens the directory and the route for logs (`logs.to`). Without a key an admin service does not serve engines.',
    },
  ),
  logs: section(
    {
      to: optional(
        url({
          description:
            'The URL of an admin service, to which engines (`--role engine`) send their logs instead of to MongoDB, with `directory.key`. A change needs a restart of the engines.',
        }),
      ),
    },
    { default: {}, description: 'Where engines send their logs.' },
  ),
  dashboard: section(
    {
      trace_url: optional(
        url({ description: 'The link from a log to its trace. `{trace_id}` stands for the id.' }),
      ),
    },
    { default: {}, description: 'The dashboard.' },
  ),
});
