import type { DialectId } from './dialect-ids.js';
import type { JsonObject, JsonValue } from './json.js';
import type { FallbackReason, LimitedKind, LimitWindow, Phase } from './settings.js';

/** How an exchange ended. */
export type LogStatus = 'success' | 'rejected' | 'invalid_output' | 'error' | 'aborted';
export type QualityRating = '👍' | '👎';

export interface LogUsage {
  input_tokens: number;
  output_tokens: number;
  cached_input_tokens?: number;
  /** Audio among the cached tokens. */
  cached_audio_input_tokens?: number;
  /** Written to a cache, for however long. */
  cache_creation_input_tokens?: number;
  /** Of these, the tokens that are kept for an hour. */
  cache_creation_1h_input_tokens?: number;
  reasoning_tokens?: number;
  audio_input_tokens?: number;
  audio_output_tokens?: number;
  /** True where the provider reported no usage and the numbers are our estimate. */
  estimated?: boolean;
}

export interface AttemptRecord {
  provider: string;
  model: string;
  /** `success`, or why the next model was tried or the exchange ended; `aborted` when the client disconnected. */
  status: 'success' | FallbackReason | 'client_error' | 'aborted';
  http_status: number | null;
  /**
   * Where and why it failed. For invalid output: the place in it, and its beginning where that may be kept. Null on
   * success.
   */
  error: { message: string; path?: string; output?: string } | null;
  duration_ms: number;
  usage: LogUsage | null;
  /** The service tier that served it, as the provider names it. */
  service_tier?: string;
  /** US dollars, where price and usage are known. */
  cost?: number;
  /** US dollars that the provider's cache saved, less what writing to it cost; where it is not 0. */
  cache_saved?: number;
  /** For a model with a weight: the probability that the draw put it in this position, given those before it. */
  propensity?: number;
}

/** A limit that counted an exchange. */
export interface LogLimit {
  /** Which counter: the limit, and what it was counted for. */
  id: string;
  /** The limit as it is configured. */
  per: string;
  kind: LimitedKind;
  window?: LimitWindow;
  /** The amount that is allowed. */
  limit: number;
  /** `passed`: there was room. Other values say what happened because the limit was reached. */
  outcome: 'passed' | 'warned' | 'fallback' | 'rejected';
}

/** What a plugin found: type, place and score, never the text. */
export interface PluginFinding {
  type: string;
  /** JSON pointer into the neutral messages, such as `/2/parts/0/text`. */
  place: string;
  start: number;
  end: number;
  score: number;
}

export type PluginOutcome = 'passed' | 'rejected' | 'modified' | 'error' | 'timeout' | 'skipped';

export interface PluginRun {
  plugin: string;
  phase: Phase;
  outcome: PluginOutcome;
  /** The plugin's mode was `observe`: the outcome is what would have happened, and had no effect. */
  observed?: true;
  duration_ms: number;
  findings: PluginFinding[];
  /** Why it was skipped, or what went wrong. For operators; never sent to a client. */
  reason?: string;
  debug?: JsonValue;
  /** What the plugin wrote beside the log. */
  annotations?: JsonObject;
}

export interface LargeBodies {
  request?: string | Uint8Array;
  response?: string | Uint8Array;
}

/** The engine that is about to run a log's LOG plugins. */
export interface LogPhaseClaim {
  /** An id that stays the same after a restart. */
  engine: string;
  /** When they have ended in any case, in epoch milliseconds. */
  until: number;
}

/** Whether a text of a log is what went over the wire, or has placeholders in place of what plugins found. */
export type ContentKept = 'as_it_was' | 'masked';

/**
 * What the client asked (`request`) and what it got (`client_response` where it is kept, else `response`), one line each, cut
 * after about 140 characters; null where there is no text.
 */
export interface LogPreview {
  input: string | null;
  output: string | null;
}

/** One exchange as it is stored in the collection `logs`. docs/admin-api.md names its fields. */
export interface LogRecord {
  /** UUIDv7. */
  _id: string;
  project_uid: string;
  created_at: Date;
  endpoint: string | null;
  api: DialectId;
  status: LogStatus;
  http_status: number;
  client_request_id: string | null;
  /** Who asked: `key:` and the name of the project's key. Absent in logs of older versions. */
  caller?: string;
  /** The id of that key. */
  key_id?: string;
  /** The body in the client's dialect; null where `log_content` is `none`. Never holds `metadata`, which has its own field. */
  request: JsonValue;
  /** Whether `request` is what the client sent. Present where a request plugin changed or rejected the request. */
  request_kept?: ContentKept;
  /** What the model said, in the client's dialect, a stream put together to its plain form; or the error body. */
  response: JsonValue;
  /** Whether `response` is what the model said. Present where a response plugin changed or rejected the answer. */
  response_kept?: ContentKept;
  /** What the client got, where that is not what `response` shows. */
  client_response?: JsonValue;
  /**
   * Whether the log shows what the client got as it was. Present where that differs from `response`. `masked` without
   * `client_response`: the client got `response` with the original values in place of placeholders.
   */
  client_response_kept?: ContentKept;
  /** The last user message and the answer that the client got, as they are kept. Absent where no content is kept. */
  preview?: LogPreview;
  metadata: JsonObject;
  tags: string[];
  quality_rating: QualityRating | null;
  attempts: AttemptRecord[];
  plugin_runs: PluginRun[];
  /** `provider/model` that answered, or null. */
  model: string | null;
  usage: LogUsage | null;
  /** The service tier of the last attempt, where its provider reported it. */
  service_tier?: string;
  /** US dollars; null where a price or the usage is not known. */
  cost: number | null;
  /** US dollars that providers' caches saved, less what writing to them cost; where it is not 0. */
  cache_saved?: number;
  timing: { total_ms: number; time_to_first_token_ms: number | null; engine_ms: number };
  /** The log whose answer was sent again from the cache. */
  cached_from?: string;
  /**
   * Which value chose the model, and whether the model that was drawn first answered. Present where the endpoint is
   * sticky.
   */
  sticky?: { by: string; kept: boolean };
  /** The limits that counted it, if any. */
  limits?: LogLimit[];
  trace_id: string | null;
  error: { code: string; message: string } | null;
  /**
   * Parts of the request that the model was not sent, because its API has no place for them. Absent where there are
   * none.
   */
  warnings?: string[];
  stream: boolean;
  feedback_count: number;
  score: number | null;
  /** LOG plugins have not run yet. Stored with the log, so that they run after a crash too. Not shown by the API. */
  _log_phase_due?: true;
  /** The engine that runs them; no other engine does before the given time. Not shown by the API. */
  _log_phase_claim?: LogPhaseClaim;
  /** The engine that counted it against its limits, which reads it after a restart. Not shown by the API. */
  _engine?: string;
  /** The span of the exchange where one was recorded, so that others can link to it. Not shown by the API. */
  _span_id?: string;
  /** Its words are to be indexed for `q`. Not shown by the API. */
  _search?: 'words';
  /**
   * The JSON text, or its UTF-8, of bodies that are too large to be written and parsed between other requests. On the
   * way to the spool the body stands beside it; in what is read from there the body is null. Not shown by the API.
   */
  _large?: LargeBodies;
  /**
   * The JSON text of `request` in pieces, as `JSON.stringify` would write it, so that the spool need not write it again.
   * Neither stored nor shown.
   */
  _written?: readonly string[];
}

/** A log as JSON text, for code that need not parse it: a parsed log takes several times the memory. */
export interface UnreadLog {
  readonly _id: string;
  /** What `JSON.stringify` wrote, in UTF-8; `created_at` is ISO 8601. */
  readonly json: Buffer;
  /** Undefined where it is not a log; it is then ignored. */
  read(): LogRecord | undefined;
}

/** Logs in order, one at a time: a whole batch would fill the heap. Can be read again. */
export type LogSource = Iterable<LogRecord | UnreadLog>;
