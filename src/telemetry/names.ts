import type { DialectId } from '../core/dialect-ids.js';

/*
 * Every name of a span, attribute and metric that this program exports. Those of the GenAI conventions are copied, as
 * OpenTelemetry recommends for conventions that are not stable; a test compares them with its package.
 */

export const ATTRIBUTES = {
  errorType: 'error.type',
  httpStatusCode: 'http.response.status_code',
  serverAddress: 'server.address',
  serverPort: 'server.port',
  operation: 'gen_ai.operation.name',
  provider: 'gen_ai.provider.name',
  requestModel: 'gen_ai.request.model',
  stream: 'gen_ai.request.stream',
  choiceCount: 'gen_ai.request.choice.count',
  outputType: 'gen_ai.output.type',
  temperature: 'gen_ai.request.temperature',
  topP: 'gen_ai.request.top_p',
  maxTokens: 'gen_ai.request.max_tokens',
  frequencyPenalty: 'gen_ai.request.frequency_penalty',
  presencePenalty: 'gen_ai.request.presence_penalty',
  stopSequences: 'gen_ai.request.stop_sequences',
  seed: 'gen_ai.request.seed',
  responseId: 'gen_ai.response.id',
  responseModel: 'gen_ai.response.model',
  finishReasons: 'gen_ai.response.finish_reasons',
  timeToFirstChunk: 'gen_ai.response.time_to_first_chunk',
  inputTokens: 'gen_ai.usage.input_tokens',
  outputTokens: 'gen_ai.usage.output_tokens',
  cacheReadTokens: 'gen_ai.usage.cache_read.input_tokens',
  cacheCreationTokens: 'gen_ai.usage.cache_creation.input_tokens',
  reasoningTokens: 'gen_ai.usage.reasoning.output_tokens',
  tokenType: 'gen_ai.token.type',
  inputMessages: 'gen_ai.input.messages',
  outputMessages: 'gen_ai.output.messages',
  systemInstructions: 'gen_ai.system_instructions',
  toolDefinitions: 'gen_ai.tool.definitions',
  databaseSystem: 'db.system.name',
  databaseNamespace: 'db.namespace',
  databaseCollection: 'db.collection.name',
  databaseOperation: 'db.operation.name',
  databaseBatchSize: 'db.operation.batch.size',
} as const;

export const OWN_ATTRIBUTES = {
  logId: 'sluice.log.id',
  projectUid: 'sluice.project.uid',
  endpoint: 'sluice.endpoint',
  attemptNumber: 'sluice.attempt.number',
  fallbackReason: 'sluice.fallback.reason',
  pluginName: 'sluice.plugin.name',
  pluginPhase: 'sluice.plugin.phase',
  pluginOutcome: 'sluice.plugin.outcome',
  validationOutcome: 'sluice.validation.outcome',
} as const;

/** The operation that a model was asked for. The conventions have no name for moderations. */
export const OPERATIONS = {
  chat: 'chat',
  completion: 'text_completion',
  embeddings: 'embeddings',
  moderation: 'moderation',
} as const;
export type Operation = (typeof OPERATIONS)[keyof typeof OPERATIONS];

const OPERATION_OF: Partial<Record<DialectId, Operation>> = {
  'openai.completions': OPERATIONS.completion,
  'openai.embeddings': OPERATIONS.embeddings,
  'openai.moderations': OPERATIONS.moderation,
};

export function operationOf(dialect: DialectId): Operation {
  return OPERATION_OF[dialect] ?? OPERATIONS.chat;
}

export const OUTPUT_TYPE_JSON = 'json';
export const DATABASE_SYSTEM = 'mongodb';
export const TOKEN_TYPES = { input: 'input', output: 'output' } as const;

/** The names of kinds of providers, by the `api` of a provider. `_OTHER` is for one that is no longer configured. */
export const PROVIDER_NAMES = {
  openai: 'openai',
  anthropic: 'anthropic',
  azure_openai: 'azure.ai.openai',
  gemini: 'gcp.gemini',
} as const;
export const PROVIDER_OTHER = '_OTHER';

/** The names of OpenInference, which some backends read. */
export const OPENINFERENCE = {
  spanKind: 'openinference.span.kind',
  model: 'llm.model_name',
  provider: 'llm.provider',
  system: 'llm.system',
  parameters: 'llm.invocation_parameters',
  inputTokens: 'llm.token_count.prompt',
  outputTokens: 'llm.token_count.completion',
  totalTokens: 'llm.token_count.total',
  cacheReadTokens: 'llm.token_count.prompt_details.cache_read',
  cacheWriteTokens: 'llm.token_count.prompt_details.cache_write',
  reasoningTokens: 'llm.token_count.completion_details.reasoning',
  inputValue: 'input.value',
  inputType: 'input.mime_type',
  outputValue: 'output.value',
  outputType: 'output.mime_type',
  inputMessages: 'llm.input_messages',
  outputMessages: 'llm.output_messages',
  role: 'message.role',
  content: 'message.content',
  callId: 'message.tool_call_id',
  calls: 'message.tool_calls',
  toolCallId: 'tool_call.id',
  functionName: 'tool_call.function.name',
  functionArguments: 'tool_call.function.arguments',
  tools: 'llm.tools',
  toolSchema: 'tool.json_schema',
} as const;

export const OPENINFERENCE_PROVIDERS = {
  openai: { provider: 'openai', system: 'openai' },
  anthropic: { provider: 'anthropic', system: 'anthropic' },
  azure_openai: { provider: 'azure', system: 'openai' },
  gemini: { provider: 'google', system: 'gemini' },
} as const;

export const SPANS = {
  exchange: (endpoint: string | null) => (endpoint === null ? 'sluice' : `sluice ${endpoint}`),
  attempt: (operation: Operation, model: string) => `${operation} ${model}`,
  plugin: (name: string, phase: string) => `plugin ${name} ${phase}`,
  write: (operation: string, collection: string) => `${operation} ${collection}`,
};

export interface MetricName {
  /** The name in OpenTelemetry. */
  name: string;
  /** The name on `/metrics`. */
  prometheus: string;
  /** The unit in UCUM. For a number of things, their name is in braces. */
  unit: string;
  description: string;
  /** The upper bounds of the buckets. */
  buckets?: number[];
}

/** 10 ms to 82 s, each twice the one before, as the GenAI conventions recommend. */
const SECONDS = Array.from({ length: 14 }, (_, power) => 2 ** power / 100);
const SHORT_SECONDS = [0.0001, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5];
/** 1 to 67108864, each four times the one before, as the GenAI conventions recommend. */
const TOKENS = Array.from({ length: 14 }, (_, power) => 4 ** power);

export const METRICS = {
  requests: {
    name: 'sluice.requests',
    prometheus: 'sluice_requests_total',
    unit: '{request}',
    description: 'Exchanges that ended, by how they ended.',
  },
  requestsInFlight: {
    name: 'sluice.requests.in_flight',
    prometheus: 'sluice_requests_in_flight',
    unit: '{request}',
    description: 'Requests that the engine has under way.',
  },
  requestsDropped: {
    name: 'sluice.requests.dropped',
    prometheus: 'sluice_requests_dropped_total',
    unit: '{request}',
    description:
      'Requests without a log, since their clients reset them in masses before the engine looked at them.',
  },
  requestDuration: {
    name: 'sluice.request.duration',
    prometheus: 'sluice_request_duration_seconds',
    unit: 's',
    description: 'Time from the request to the end of its answer.',
    buckets: SECONDS,
  },
  engineDuration: {
    name: 'sluice.engine.duration',
    prometheus: 'sluice_engine_duration_seconds',
    unit: 's',
    description: 'Time that the engine itself worked on an exchange.',
    buckets: SHORT_SECONDS,
  },
  attempts: {
    name: 'sluice.attempts',
    prometheus: 'sluice_attempts_total',
    unit: '{attempt}',
    description: 'Models tried, by what came of it.',
  },
  fallbacks: {
    name: 'sluice.fallbacks',
    prometheus: 'sluice_fallbacks_total',
    unit: '{fallback}',
    description: 'Times that the next model was tried, by the reason.',
  },
  coolings: {
    name: 'sluice.coolings',
    prometheus: 'sluice_coolings_total',
    unit: '{cooling}',
    description: 'Times that a model which keeps failing was left out of new chains for a while.',
  },
  limitDecisions: {
    name: 'sluice.limit.decisions',
    prometheus: 'sluice_limit_decisions_total',
    unit: '{decision}',
    description: 'What limits said to requests: passed, warned, fallback or rejected.',
  },
  limitUsed: {
    name: 'sluice.limit.used_ratio',
    prometheus: 'sluice_limit_used_ratio',
    unit: '1',
    description: 'How full a limit is for whom it is fullest; 1 where it is reached.',
  },
  inputTokens: {
    name: 'sluice.input_tokens',
    prometheus: 'sluice_input_tokens_total',
    unit: '{token}',
    description:
      'Input tokens of tries, by whether they went to the model that their conversation is drawn to.',
  },
  cachedInputTokens: {
    name: 'sluice.cached_input_tokens',
    prometheus: 'sluice_cached_input_tokens_total',
    unit: '{token}',
    description: 'Of these, the tokens that providers read from their caches.',
  },
  cacheSaved: {
    name: 'sluice.cache_saved.usd',
    prometheus: 'sluice_cache_saved_usd_total',
    unit: 'USD',
    description:
      "US dollars that reading from providers' caches saved; what writing to them cost is not taken off.",
  },
  validations: {
    name: 'sluice.validations',
    prometheus: 'sluice_validations_total',
    unit: '{validation}',
    description: 'Outputs checked against a schema, valid or invalid.',
  },
  cost: {
    name: 'sluice.cost.usd',
    prometheus: 'sluice_cost_usd_total',
    unit: 'USD',
    description: 'What tries cost, in US dollars, where prices are configured.',
  },
  configurationRefused: {
    name: 'sluice.configuration.refused',
    prometheus: 'sluice_configuration_refused',
    unit: '1',
    description: '1 while a changed configuration file has mistakes, and the one before is still used.',
  },
  pluginRuns: {
    name: 'sluice.plugin.runs',
    prometheus: 'sluice_plugin_runs_total',
    unit: '{run}',
    description: 'Runs of plugins, by what they came to.',
  },
  pluginDuration: {
    name: 'sluice.plugin.duration',
    prometheus: 'sluice_plugin_duration_seconds',
    unit: 's',
    description: 'Time that a run of a plugin took.',
    buckets: SHORT_SECONDS,
  },
  spoolRecords: {
    name: 'sluice.spool.records',
    prometheus: 'sluice_spool_records',
    unit: '{record}',
    description: 'Entries in the spool that have not landed in MongoDB.',
  },
  spoolBytes: {
    name: 'sluice.spool.bytes',
    prometheus: 'sluice_spool_bytes',
    unit: 'By',
    description: 'Size of the spool on its disk.',
  },
  spoolLimit: {
    name: 'sluice.spool.limit_bytes',
    prometheus: 'sluice_spool_limit_bytes',
    unit: 'By',
    description: 'The size at which the spool is full.',
  },
  spoolOldest: {
    name: 'sluice.spool.oldest',
    prometheus: 'sluice_spool_oldest_seconds',
    unit: 's',
    description: 'Age of the oldest entry in the spool, 0 where there is none.',
  },
  logsWritten: {
    name: 'sluice.logs.written',
    prometheus: 'sluice_logs_written_total',
    unit: '{log}',
    description: 'Logs that landed in MongoDB.',
  },
  logsLost: {
    name: 'sluice.logs.lost',
    prometheus: 'sluice_logs_lost_total',
    unit: '{log}',
    description: 'Logs that found no room in the spool or were damaged there.',
  },
  deadLetters: {
    name: 'sluice.dead_letters',
    prometheus: 'sluice_dead_letters_total',
    unit: '{record}',
    description: 'Entries that MongoDB would not take, kept in the dead-letter file.',
  },
  feedbackOrphans: {
    name: 'sluice.feedback.orphans',
    prometheus: 'sluice_feedback_orphans',
    unit: '{signal}',
    description: 'Feedback whose log has not landed.',
  },
  directoryAge: {
    name: 'sluice.directory.age',
    prometheus: 'sluice_directory_age_seconds',
    unit: 's',
    description:
      'For how long projects, keys and endpoints could not be read anew, here or at the admin service; 0 while they are followed.',
  },
  clockOffset: {
    name: 'sluice.clock.offset',
    prometheus: 'sluice_clock_offset_seconds',
    unit: 's',
    description: "How far this machine's clock is ahead of MongoDB's.",
  },
  spansLost: {
    name: 'sluice.spans.lost',
    prometheus: 'sluice_spans_lost_total',
    unit: '{span}',
    description: 'Spans that were not exported, since the collector takes fewer than there are.',
  },
  tlsFailures: {
    name: 'sluice.tls.failures',
    prometheus: 'sluice_tls_failures_total',
    unit: '{connection}',
    description: "Connections of Envoy to a provider that failed in TLS, such as at a certificate's end.",
  },
  eventLoopLag: {
    name: 'sluice.event_loop.lag',
    prometheus: 'sluice_event_loop_lag_seconds',
    unit: 's',
    description: 'Delay of the event loop within the last ten seconds, by quantile.',
  },
  tokenUsage: {
    name: 'gen_ai.client.token.usage',
    prometheus: 'gen_ai_client_token_usage',
    unit: '{token}',
    description: 'Tokens of a try, input and output.',
    buckets: TOKENS,
  },
  operationDuration: {
    name: 'gen_ai.client.operation.duration',
    prometheus: 'gen_ai_client_operation_duration_seconds',
    unit: 's',
    description: 'Time that a try took.',
    buckets: SECONDS,
  },
  timeToFirstChunk: {
    name: 'gen_ai.client.operation.time_to_first_chunk',
    prometheus: 'gen_ai_client_operation_time_to_first_chunk_seconds',
    unit: 's',
    description: 'Time to the first piece of output.',
    buckets: SECONDS,
  },
  timePerOutputChunk: {
    name: 'gen_ai.client.operation.time_per_output_chunk',
    prometheus: 'gen_ai_client_operation_time_per_output_chunk_seconds',
    unit: 's',
    description: 'Mean time between two pieces of output, once for each stream.',
    buckets: SHORT_SECONDS,
  },
} as const satisfies Record<string, MetricName>;
