import type { DialectId } from './dialect-ids.js';
import type { JsonObject, JsonValue } from './json.js';
import type { FallbackReason, LimitedKind, LimitWindow, Phase } from './settings.js';

/** The id of a wire API: of each entry of the list of dialects. */
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
  /** True where the provider told no number and ours is an estimate. */
  estimated?: boolean;
}

export interface AttemptRecord {
  provider: string;
  model: string;
  /** `success`, or why the next model was tried or the exchange ended; `aborted` when the client left. */
  status: 'success' | FallbackReason | 'client_error' | 'aborted';
  http_status: number | null;
  /** Where and why it failed; for invalid output the place in it, and its begin where that may be kept. Null on success. */
  error: { message: string; path?: string; output?: string } | null;
  duration_ms: number;
  usage: LogUsage | null;
  /** The service tier that served it, in the provider's own word. */
  service_tier?: string;
  /** US dollars, where price and usage are known. */
  cost?: number;
  /** US dollars that the provider's cache saved, less what writing to it cost; where it is not 0. */
  cache_saved?: number;
  /** How likely it was that the draw put this model in this place, after those before it; of models with a weight. */
  propensity?: number;
}

/** A limit that counted an exchange. */
export interface LogLimit {
  /** Which counter: of the limit, and of whom it was counted for. */
  id: string;
  /** As the limit is configured. */
  per: string;
  kind: LimitedKind;
  window?: LimitWindow;
  /** How much there may be. */
  limit: number;
  /** `passed`: there was room. Else the limit was reached, and this is what came of it. */
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
  /** The plugin's mode was `observe`: the outcome is what would have been, and nothing came of it. */
  observed?: true;
  duration_ms: number;
  findings: PluginFinding[];
  /** Why it was skipped, or what went wrong; for operators, never sent to a client. */
  reason?: string;
  debug?: JsonValue;
  /** What the plugin wrote beside the log. */
  annotations?: JsonObject;
}

export interface LargeBodies {
  request?: string | Uint8Array;
  response?: string | Uint8Array;
}

/** An engine that is about to run a log's LOG plugins. */
export interface LogPhaseClaim {
  /** The same after its next start. */
  engine: string;
  /** When they have ended whatever they do, epoch milliseconds. */
  until: number;
}

/** Whether a text of a log is what went over the wire, or has placeholders in place of what plugins found. */
export type ContentKept = 'as_it_was' | 'masked';

/** One line each, cut after some 140 letters; null where there is no text. */
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
  /** There where a request plugin changed or rejected the request: whether `request` is what the client sent. */
  request_kept?: ContentKept;
  /** What the model said, in the client's dialect, a stream put together to its plain form; or the error body. */
  response: JsonValue;
  /** There where a response plugin changed or rejected the answer: whether `response` is what the model said. */
  response_kept?: ContentKept;
  /** What the client got, where that is not what `response` shows. */
  client_response?: JsonValue;
  /**
   * There where the client got something else than `response`: whether the log shows it as it was. `masked` without
   * `client_response`: the client got `response` with the values put back that placeholders stand for.
   */
  client_response_kept?: ContentKept;
  /** The last user message and the answer, one line each, as they are kept. Absent where no content is kept. */
  preview?: LogPreview;
  metadata: JsonObject;
  tags: string[];
  quality_rating: QualityRating | null;
  attempts: AttemptRecord[];
  plugin_runs: PluginRun[];
  /** `provider/model` that answered, or null. */
  model: string | null;
  usage: LogUsage | null;
  /** The service tier of the last try, where its provider told it. */
  service_tier?: string;
  /** US dollars, null where a price or the usage is not known. */
  cost: number | null;
  /** US dollars that providers' caches saved, less what writing to them cost; where it is not 0. */
  cache_saved?: number;
  timing: { total_ms: number; time_to_first_token_ms: number | null; engine_ms: number };
  /** The log of the exchange whose answer was given again, where the cache had it. */
  cached_from?: string;
  /** By what it was sent to a model, and whether the first of that draw answered; where its endpoint is sticky. */
  sticky?: { by: string; kept: boolean };
  /** The limits that counted it, where there are any. */
  limits?: LogLimit[];
  trace_id: string | null;
  error: { code: string; message: string } | null;
  /** What the model was not sent of the request, since its API cannot say it. Absent for nothing. */
  warnings?: string[];
  stream: boolean;
  feedback_count: number;
  score: number | null;
  /** LOG plugins have yet to run. Kept with the log, so that they do after a crash too; shown to nobody. */
  _log_phase_due?: true;
  /** Who runs them: nobody else does before that engine must have got through; shown to nobody. */
  _log_phase_claim?: LogPhaseClaim;
  /** The engine that counted it against its limits, which reads it after its next start; shown to nobody. */
  _engine?: string;
  /** The span of the exchange, where one was recorded, for those who link to it; shown to nobody. */
  _span_id?: string;
  /** Its words are to be in the index that `q` uses; shown to nobody. */
  _search?: 'words';
  /**
   * The JSON text of bodies that take too long to be printed and parsed between other requests, or its UTF-8. On the
   * way to the spool the body stands beside it; what comes from there has null in its place. Shown to nobody.
   */
  _large?: LargeBodies;
}

/** A log as its JSON text, for who can do without reading it: what is parsed takes several times the memory. */
export interface UnreadLog {
  readonly _id: string;
  /** What `JSON.stringify` wrote, in UTF-8; `created_at` is ISO 8601. */
  readonly json: Buffer;
  /** Undefined where it is no log; then it counts as if it had not been there. */
  read(): LogRecord | undefined;
}

/** Logs in their order, one at a time: a batch of them in one piece would fill the heap. Can be read again. */
export type LogSource = Iterable<LogRecord | UnreadLog>;
