import type { JsonObject, JsonValue } from './json.js';
import type { Secret } from './secret.js';

/*
 * What an operator configures, with defaults filled in. The keys are those of sluice.yaml, so that the file, the
 * admin API and the stored documents need no mapping. Times end in their unit.
 */

export const PROVIDER_APIS = ['openai', 'anthropic', 'azure_openai', 'gemini'] as const;
export type ProviderApi = (typeof PROVIDER_APIS)[number];

/** Servers that speak OpenAI's API with deviations. Each refuses some members or gives them another name. */
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

/** Prices in US dollars for a million tokens of each kind. A kind without a price costs what plain input or output costs. */
export interface TokenPrices {
  input_per_mtok: number;
  output_per_mtok: number;
  cached_input_per_mtok?: number;
  cached_audio_input_per_mtok?: number;
  /** Tokens written to a cache for five minutes, or for as long as the provider keeps them by default. */
  cache_write_per_mtok?: number;
  /** Tokens written to a cache for an hour. */
  cache_write_1h_per_mtok?: number;
  reasoning_per_mtok?: number;
  audio_input_per_mtok?: number;
  audio_output_per_mtok?: number;
}

/**
 * Prices of requests with more input tokens than a threshold. A kind without a price here keeps its price of smaller
 * requests.
 */
export interface LongContextPrices extends Partial<TokenPrices> {
  above_input_tokens: number;
}

/** Prices of a service tier. A kind without a price here keeps the model's own price. */
export interface TierPrices extends Partial<TokenPrices> {
  long_context?: LongContextPrices[];
}

export interface Price extends TokenPrices {
  /** Steps of long-context prices in any order. The highest step that applies counts. */
  long_context?: LongContextPrices[];
  /** Prices by the provider's name for the tier, such as `flex`, `priority` or `batch`. */
  tiers?: Record<string, TierPrices>;
}

/** A deployment of models: where it is and which API it speaks. */
export interface Provider {
  name: string;
  api: ProviderApi;
  /** The URL of the API, without a slash at its end. */
  base_url: string;
  /** The value of the environment variable named by `api_key_env`; undefined where the provider needs no credential. */
  credential?: Secret;
  headers: Record<string, string>;
  /** Further headers of clients that are forwarded to the provider, in lower case. */
  forward_headers: string[];
  /** Whether the provider has OpenAI's Responses API. */
  responses: boolean;
  api_version?: string;
  /** The kind of server, where it is not OpenAI's own. */
  compatible?: Compatible;
  prices: Record<string, Price>;
  /** The most concurrent requests that each engine sends to the provider. */
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

/** The amounts that a limit can restrict. */
export const LIMITED = ['requests', 'tokens', 'cost_usd', 'concurrent'] as const;
export type LimitedKind = (typeof LIMITED)[number];

/** A limit. Exactly one of the four amounts is set. */
export interface TrafficLimit {
  /** What the limit counts for: `project`, `key`, `endpoint`, `tag`, or `metadata.` and a key of the metadata. */
  per: string;
  requests?: number;
  tokens?: number;
  cost_usd?: number;
  /** The most requests at the same time. */
  concurrent?: number;
  /** The window, in UTC. Set except for `concurrent`. */
  window?: LimitWindow;
  when?: When;
  action: 'reject' | 'fallback' | 'warn';
  /** Whether all engines that share a MongoDB count together. */
  shared: boolean;
}

/** The web pages that may call a project. */
export interface CorsSettings {
  /** Origins in lower case, such as `https://app.example.com`; `*` for all. */
  origins: readonly string[];
}

/** The URL to which a project reports how full its budgets are. */
export interface LimitWebhook {
  url: string;
  /** The environment variable with the key that signs the reports. */
  hmac_key_env?: string;
}

export const PHASES = ['request', 'response', 'log'] as const;
export type Phase = (typeof PHASES)[number];

export interface PluginEntry {
  plugin: string;
  /** The phases to run in. Empty means all phases that the plugin supports. */
  phases: Phase[];
  config: JsonObject;
  timeout_ms: number;
  /**
   * What an error of the plugin means. Without it, an error lets the exchange continue, but a guard that keeps its
   * own time and is late refuses it.
   */
  on_error?: 'allow' | 'reject';
  isolate: boolean;
  mode: 'enforce' | 'observe' | 'off';
  /** The share of exchanges in which the plugin runs. The log id decides. */
  sample: number;
}

/** The settings of `json_validation`, where it is on. */
export interface JsonValidation {
  /** The tools whose arguments are checked: forced or strict tools, all tools, or none. */
  tools: 'forced' | 'all' | 'none';
  /** What happens to the last invalid answer. */
  on_invalid: 'reject' | 'release';
  /** Whether the error shows the invalid output. */
  include_invalid: boolean;
}

/** What `json_validation: true` means. */
export const JSON_VALIDATION: JsonValidation = {
  tools: 'forced',
  on_invalid: 'reject',
  include_invalid: false,
};

/** The settings of validation; undefined where the endpoint validates nothing. */
export function jsonValidationOf({
  json_validation: set,
}: Pick<Endpoint, 'json_validation'>): JsonValidation | undefined {
  return set === true ? JSON_VALIDATION : set || undefined;
}

/** Sends requests that belong together to the same model, so that its provider's cache stays warm. */
export interface Sticky {
  /**
   * What identifies requests that belong together: `metadata.KEY`, `header.NAME` or `conversation`. The first one
   * that a request has counts.
   */
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
  /** Who may get a cached answer: only the key that asked first, or every key of the project. */
  scope: 'key' | 'project';
  /** Keys of the metadata on which an answer depends. */
  vary_by: string[];
  /** Whether identical concurrent requests ask a model only once. */
  coalesce: boolean;
  /** Reserved for a shared cache. Now each engine has its own cache. */
  shared: boolean;
}

export interface Endpoint {
  name: string;
  models: ModelChoice[];
  json_validation: boolean | JsonValidation;
  schema_in_prompt: boolean;
  unwrap_fences: boolean;
  explain_invalid: boolean;
  /** Whether the vectors of all its models can be compared, whatever the models are called. */
  same_vectors: boolean;
  fallback_on: FallbackReason[];
  timeout_ms: number;
  total_timeout_ms: number;
  stream_idle_timeout_ms: number;
  /** How long one try of a stream may take until its first text. */
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
  /** The most bytes of an answer that is held. */
  response_body_bytes: number;
  schema_bytes: number;
  metadata_bytes: number;
  /** The most JSON values in one body. */
  body_values: number;
  /** The most bytes of request bodies and held answers together. */
  bodies_in_flight_bytes: number;
  /** The most feedback signals of one log. */
  feedback_per_log: number;
}

export interface SpoolSettings {
  max_bytes: number;
  /** The longest time between writing a record and its fdatasync; 0 syncs before the answer ends. */
  sync_ms: number;
  on_full: 'lose' | 'refuse';
}
