import type { JsonObject, JsonValue } from './json.js';
import type { Secret } from './secret.js';

/*
 * What an operator configures, with defaults filled in. The keys are those of sluice.yaml, so that the file, the
 * admin API and the stored documents need no mapping. Times end in their unit.
 */

export const PROVIDER_APIS = ['openai', 'anthropic', 'azure_openai', 'gemini'] as const;
export type ProviderApi = (typeof PROVIDER_APIS)[number];

/** Servers that speak OpenAI's API, each with what it refuses or calls by another name. */
export const COMPATIBLE = [
  'openai',
  'azure',
  'mistral',
  'deepseek',
  'openrouter',
  'vllm',
  'sglang',
  'llamacpp',
  'lmstudio',
  'ollama',
  'litellm',
  'groq',
  'together',
  'fireworks',
  'cerebras',
  'xai',
  'moonshot',
  'zai',
  'dashscope',
] as const;
export type Compatible = (typeof COMPATIBLE)[number];

/** US dollars for a million tokens of each kind. A kind without a price costs what plain input or output costs. */
export interface TokenPrices {
  input_per_mtok: number;
  output_per_mtok: number;
  cached_input_per_mtok?: number;
  cached_audio_input_per_mtok?: number;
  /** Written to a cache for five minutes, or for however long the provider keeps it. */
  cache_write_per_mtok?: number;
  /** Written to a cache for an hour. */
  cache_write_1h_per_mtok?: number;
  reasoning_per_mtok?: number;
  audio_input_per_mtok?: number;
  audio_output_per_mtok?: number;
}

/**
 * Prices of a request whose input has more tokens than this. Kinds that a step does not price cost what they cost
 * below it.
 */
export interface LongContextPrices extends Partial<TokenPrices> {
  above_input_tokens: number;
}

/** Prices of a service tier. Kinds that a tier does not price cost what the model's own prices say. */
export interface TierPrices extends Partial<TokenPrices> {
  long_context?: LongContextPrices[];
}

export interface Price extends TokenPrices {
  /** In any order: the highest step that applies counts. */
  long_context?: LongContextPrices[];
  /** By the provider's name for the tier, such as `flex`, `priority` or `batch`. */
  tiers?: Record<string, TierPrices>;
}

/** A deployment of models: where it is and which API it speaks. */
export interface Provider {
  name: string;
  api: ProviderApi;
  /** Without a slash at its end. */
  base_url: string;
  /** From the environment variable named by `api_key_env`; undefined where the provider needs none. */
  credential?: Secret;
  headers: Record<string, string>;
  /** Further headers of clients, in lower case, that are forwarded to it. */
  forward_headers: string[];
  /** Whether it has OpenAI's Responses path. */
  responses: boolean;
  api_version?: string;
  /** Which server it is. Absent: OpenAI's own. */
  compatible?: Compatible;
  prices: Record<string, Price>;
  /** The most concurrent requests that each engine sends to it. */
  max_concurrent?: number;
  /** How long a request waits for a free place, in milliseconds. */
  queue_ms?: number;
}

export interface When {
  tags_any?: string[];
  tags_all?: string[];
  tags_none?: string[];
  metadata?: Record<string, JsonValue>;
}

export interface ModelChoice {
  provider: string;
  model: string;
  /** `tool`: the model has no structured output but can call tools, so the schema becomes a tool that it must call. */
  structured_output: boolean | 'tool';
  weight?: number;
  when?: When;
}

export const FALLBACK_REASONS = [
  'invalid_output',
  'connect',
  'timeout',
  'rate_limited',
  'server_error',
] as const;
export type FallbackReason = (typeof FALLBACK_REASONS)[number];

/** What `q` searches: the newest logs of a project, or all of them by an index of their words. */
export const SEARCHES = ['recent', 'words'] as const;
export type Search = (typeof SEARCHES)[number];

export const LIMIT_WINDOWS = ['second', 'minute', 'hour', 'day', 'month'] as const;
export type LimitWindow = (typeof LIMIT_WINDOWS)[number];

/** What a limit can be of. */
export const LIMITED = ['requests', 'tokens', 'cost_usd', 'concurrent'] as const;
export type LimitedKind = (typeof LIMITED)[number];

/** How much is allowed: exactly one of the four amounts is set. */
export interface TrafficLimit {
  /** `project`, `key`, `endpoint`, `tag`, or `metadata.` and a key of the metadata. */
  per: string;
  requests?: number;
  tokens?: number;
  cost_usd?: number;
  /** Requests at the same time. */
  concurrent?: number;
  /** In UTC. Set for all but `concurrent`. */
  window?: LimitWindow;
  when?: When;
  action: 'reject' | 'fallback' | 'warn';
  /** Counted together by all engines that share a MongoDB. */
  shared: boolean;
}

/** The pages of browsers that may call a project. */
export interface CorsSettings {
  /** Origins in lower case, such as `https://app.example.com`; `*` for all. */
  origins: readonly string[];
}

/** Where a project reports how full its budgets are. */
export interface LimitWebhook {
  url: string;
  /** The environment variable with the key that signs the reports. */
  hmac_key_env?: string;
}

export const PHASES = ['request', 'response', 'log'] as const;
export type Phase = (typeof PHASES)[number];

export interface PluginEntry {
  plugin: string;
  /** Empty means all phases that the plugin supports. */
  phases: Phase[];
  config: JsonObject;
  timeout_ms: number;
  /** Without it, an error lets the exchange go on, but a guard that keeps its own time and is late refuses it. */
  on_error?: 'allow' | 'reject';
  isolate: boolean;
  mode: 'enforce' | 'observe' | 'off';
  /** The share of exchanges that the plugin runs in, chosen by the log id. */
  sample: number;
}

/** The settings of `json_validation`, where it is on. */
export interface JsonValidation {
  /** Which tool arguments are checked: those of forced or strict tools, of all tools, or of none. */
  tools: 'forced' | 'all' | 'none';
  /** What happens to the last invalid answer. */
  on_invalid: 'reject' | 'release';
  /** The error shows the invalid output. */
  include_invalid: boolean;
}

/** What `json_validation: true` means. */
export const JSON_VALIDATION: JsonValidation = {
  tools: 'forced',
  on_invalid: 'reject',
  include_invalid: false,
};

/** Undefined where the endpoint validates nothing. */
export function jsonValidationOf({
  json_validation: set,
}: Pick<Endpoint, 'json_validation'>): JsonValidation | undefined {
  return set === true ? JSON_VALIDATION : set || undefined;
}

/** Sends what belongs together to the same model, so that its provider's cache stays warm. */
export interface Sticky {
  /** `metadata.KEY`, `header.NAME` or `conversation`; the first that a request has counts. */
  by: string[];
}

/**
 * What identifies a conversation: the session headers of Claude Code, Codex, OpenCode and others, or the beginning of
 * the conversation for clients that send no such header, such as Gemini CLI.
 */
export const SESSION_MARKS = [
  'header.x-claude-code-session-id',
  'header.session_id',
  'header.session-id',
  'header.x-opencode-session',
  'header.x-session-affinity',
  'header.x-session-id',
  'conversation',
] as const;

/** The cache of an endpoint, which sends an answer again to the same request. */
export interface AnswerCacheSettings {
  ttl_s: number;
  /** Who may get a cached answer: only the key that asked, or every key of the project. */
  scope: 'key' | 'project';
  /** Keys of the metadata that an answer depends on. */
  vary_by: string[];
  /** Identical concurrent requests ask a model once. */
  coalesce: boolean;
  /** Reserved: each engine has its own. */
  shared: boolean;
}

export interface Endpoint {
  name: string;
  models: ModelChoice[];
  json_validation: boolean | JsonValidation;
  schema_in_prompt: boolean;
  unwrap_fences: boolean;
  explain_invalid: boolean;
  /** All its models give vectors that can be compared, whatever their names. */
  same_vectors: boolean;
  fallback_on: FallbackReason[];
  timeout_ms: number;
  total_timeout_ms: number;
  stream_idle_timeout_ms: number;
  /** One try of a stream, until its first text. */
  first_token_timeout_ms?: number;
  log_content: 'masked' | 'full' | 'none';
  sticky?: Sticky;
  cache?: AnswerCacheSettings;
  plugins: PluginEntry[];
}

export const SCOPES = ['inference', 'feedback', 'logs'] as const;
export type Scope = (typeof SCOPES)[number];

export type ManagedBy = 'file' | 'api';

export interface Limits {
  request_body_bytes: number;
  /** The limit of an answer that is held. */
  response_body_bytes: number;
  schema_bytes: number;
  metadata_bytes: number;
  /** JSON values in one body. */
  body_values: number;
  /** Of request bodies and held answers together. */
  bodies_in_flight_bytes: number;
  /** Signals of one log. */
  feedback_per_log: number;
}

export interface SpoolSettings {
  max_bytes: number;
  /** The longest time between writing a record and its fdatasync; 0 syncs before the answer ends. */
  sync_ms: number;
  on_full: 'lose' | 'refuse';
}
