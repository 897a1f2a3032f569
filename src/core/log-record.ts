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
  /** The audio tokens among the cached ones. */
  cached_audio_input_tokens?: number;
  /** Tokens written to a cache, for any duration. */
  cache_creation_input_tokens?: number;
  /** Of these, the tokens that are kept for an hour. */
  cache_creation_1h_input_tokens?: number;
  reasoning_tokens?: number;
  audio_input_tokens?: number;
  audio_output_tokens?: number;
  /** True where the provider reported no usage, so that the numbers are our estimate. */
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
  /** The service tier that served the attempt, as the provider names it. */
  service_tier?: string;
  /** The cost in US dollars, where price and usage are known. */
  cost?: number;
  /** The US dollars that the provider's cache saved, minus the cost of writing to it; absent where it is 0. */
  cache_saved?: number;
  /** For a model with a weight: the probability that the draw put it in this position, given those before it. */
  propensity?: number;
}

/** A limit that counted an exchange. */
export interface LogLimit {
  /** The id of the counter: the limit, and what it counted for. */
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

/** A finding of a plugin: type, place and score, but never the text. */
export interface PluginFinding {
  type: string;
  /** A JSON pointer into the neutral messages, such as `/2/parts/0/text`. */
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
  /** What the plugin itself wants to record in the log. */
  annotations?: JsonObject;
}

export interface LargeBodies {
  request?: string | Uint8Array;
  response?: string | Uint8Array;
}

/** The engine that is about to run the LOG plugins of a log. */
export interface LogPhaseClaim {
  /** The engine's id, which stays the same after a restart. */
  engine: string;
  /** The time at which they will have ended in any case, in epoch milliseconds. */
  until: number;
}

/** Whether a text of a log is what was really sent, or has placeholders in place of findings. */
export type ContentKept = 'as_it_was' | 'masked';

/**
 * One line of what the client asked (`request`) and one of what it got (`client_response` where it is kept, else
 * `response`), each cut after about 140 characters; null where there is no text.
 */
export interface LogPreview {
  input: string | null;
  output: string | null;
}

/** One exchange as it is stored in the collection `logs`. docs/admin-api.md names its fields. */
export interface LogRecord {
  /** The log id, a UUIDv7. */
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
  /** The model's answer in the client's dialect, a stream put together to its plain form; or the body of an error. */
  response: JsonValue;
  /** Whether `response` is what the model answered. Present where a response plugin changed or rejected the answer. */
  response_kept?: ContentKept;
  /** What the client got, where `response` does not show it. */
  client_response?: JsonValue;
  /**
   * Whether the log shows exactly what the client got. Present where that differs from `response`. `masked` without
   * `client_response` means that the client got `response` with the original values in place of placeholders.
   */
  client_response_kept?: ContentKept;
  /**
   * The last user message and the answer that the client got, in the form in which the log keeps them. Where the client got
   * an error in place of an answer, it is the model's answer. Absent where no content is kept.
   */
  preview?: LogPreview;
  metadata: JsonObject;
  tags: string[];
  quality_rating: QualityRating | null;
  attempts: AttemptRecord[];
  plugin_runs: PluginRun[];
  /** The model that answered, as `provider/model`, or null. */
  model: string | null;
  usage: LogUsage | null;
  /** The service tier of the last attempt, where its provider reported it. */
  service_tier?: string;
  /** The cost in US dollars; null where a price or the usage is not known. */
  cost: number | null;
  /** The US dollars that providers' caches saved, minus the cost of writing to them; absent where it is 0. */
  cache_saved?: number;
  timing: { total_ms: number; time_to_first_token_ms: number | null; engine_ms: number };
  /** The id of the log whose answer was sent again from the cache. */
  cached_from?: string;
  /**
   * The key that chose the model, and whether the model that was drawn first also answered. Present where the
   * endpoint is sticky.
   */
  sticky?: { by: string; kept: boolean };
  /** The limits that counted the exchange, if any. */
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
  /**
   * Set while the LOG plugins have not run. It is stored with the log, so that they run after a crash too. Not shown
   * by the API.
   */
  _log_phase_due?: true;
  /** The engine that runs the LOG plugins. No other engine runs them before the given time. Not shown by the API. */
  _log_phase_claim?: LogPhaseClaim;
  /** The engine that counted the exchange against its limits. It reads the log after a restart. Not shown by the API. */
  _engine?: string;
  /** The id of the exchange's span, where one was recorded, so that other spans can link to it. Not shown by the API. */
  _span_id?: string;
  /** Set where the words of the log must be indexed for `q`. Not shown by the API. */
  _search?: 'words';
  /**
   * The JSON text of bodies that are too large to be written and parsed between other requests, as a string or UTF-8.
   * On the way to the spool, the log also has the body; in a log that was read from the spool, the body is null. Not
   * shown by the API.
   */
  _large?: LargeBodies;
  /**
   * The JSON text of `request` in pieces, as strings or UTF-8, exactly as `JSON.stringify` would write it, so that the
   * spool need not write it again. `request` may be null then. Neither stored nor shown.
   */
  _written?: readonly (string | Buffer)[];
}

/** A log as JSON text, for code that does not need its members: a parsed log takes several times the memory. */
export interface UnreadLog {
  readonly _id: string;
  /** The output of `JSON.stringify` in UTF-8. `created_at` is in ISO 8601. */
  readonly json: Buffer;
  /** Parses the log. Returns undefined where the text is not a log; it is then ignored. */
  read(): LogRecord | undefined;
}

/** Logs in order, one at a time: a whole batch would fill the heap. Can be read again. */
export type LogSource = Iterable<LogRecord | UnreadLog>;
