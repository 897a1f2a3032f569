import type { Choice } from '../../core/answer.js';
import type { JsonObject, JsonValue } from '../../core/json.js';
import type { LogRecord, PluginFinding } from '../../core/log-record.js';
import type { Message, Part } from '../../core/message.js';
import type { MaybePromise } from '../../core/pacing/maybe-promise.js';
import type { Phase } from '../../core/settings.js';
import type { KnownStandIns } from '../stand-ins/stand-ins.js';

/**
 * The contract of a plugin. A plugin is a module whose default export is a `Plugin`. It is written against
 * this file alone: `import type { Plugin } from 'sluice/plugin'`.
 *
 * - `request` runs once for each exchange, before a model is chosen, on all messages, earlier turns too.
 * - `response` runs on a model's answer (2xx, known shape) after output validation, before the client sees it.
 * - `log` runs after the client has its answer; it is tried again after a crash, so it must bear a repeat.
 *
 * Functions may be called for several exchanges at once. Each gets a deadline (`signal` is aborted at it);
 * one that throws, stalls or returns what it may not is stopped there, and the exchange goes on unless the
 * operator set `on_error: reject`. A plugin that keeps its own time (`keepsTime`) is not stopped.
 */
export interface Plugin<Config = JsonObject> {
  /** As it stands in `plugins[].plugin`: lower case, digits, `_` and `-`. */
  readonly name: string;
  readonly description?: string;
  /** JSON Schema (2020-12) of `config`; defaults in it are filled in. */
  readonly configSchema: JsonObject;
  /** The phases that it runs in where the operator names none are all that it has a function for. */
  request?(input: RequestInput<Config>): Answered<Result<Message[]>>;
  response?(input: ResponseInput<Config>): Answered<Result<Choice[]>>;
  log?(input: LogInput<Config>): Answered<LogResult>;
  /**
   * What `log` would give, where it is known without new work: the end of the answer waits for it, microseconds at most.
   * Undefined where it is not, and `log` is called after the answer. For a plugin that says `readsOnly`.
   */
  logAtOnce?(input: LogInput<Config>): LogResult | undefined;
  /**
   * How `response` wants a stream. `whole` (default): the answer is held, the plugin sees it once, then it is
   * replayed. `{ window }`: text flows on behind a window of so many UTF-16 units; `responseWindow` is called instead.
   */
  readonly stream?: StreamMode;
  /** The same where it depends on the configuration; it then counts instead of `stream`. */
  streamFor?(config: Config): StreamMode;
  /** Also called on the texts of a plain answer, one by one, where there is no `response`. */
  responseWindow?(input: WindowInput<Config>): Answered<WindowResult>;
  /**
   * For a guard whose work depends on what it is given: the host sets no deadline. The plugin ends by itself, by
   * `timeoutMs` of its input, and answers `late` where it did not get through. That refuses the exchange unless the
   * operator set `on_error: allow`.
   */
  readonly keepsTime?: boolean;
  /**
   * Whether its results on answers may have `restores`. A stream is then read for what is to be put back, too.
   */
  restores?(config: Config): boolean;
  /** It changes nothing of what it is given. Where all that are due in a phase say so, they get no copy. */
  readonly readsOnly?: true;
  /** Called once for each endpoint's configuration; what it throws makes the configuration invalid. */
  prepare?(config: JsonObject): Config;
}

type Answered<Value> = MaybePromise<Value | Late>;

export type StreamMode = 'whole' | { window: number };

/** What every function gets. Its content is a frozen copy, or the exchange's own where `readsOnly` spares the copy. */
export interface PluginContext<Config> {
  config: Config;
  /** The log id. */
  requestId: string;
  endpoint: string;
  metadata: JsonObject;
  /** Without credentials and cookies. */
  headers: Readonly<Record<string, string>>;
  /** Aborted at the deadline, or when the client has gone. */
  signal: AbortSignal;
  /** As the operator set it. */
  timeoutMs: number;
  /** What `restores` of results gave so far. Absent in a thread of its own (`isolate`). */
  standIns?: KnownStandIns;
  /**
   * The same object in all phases of one exchange, for a WeakMap of what is known of it. Absent in a thread of its own,
   * and where the LOG phase runs again after a crash.
   */
  exchange?: object;
}

export interface RequestInput<Config> extends PluginContext<Config> {
  messages: readonly Message[];
  /** The client's body, in its own dialect; not to be changed. */
  requestBody: JsonObject;
}

export interface ResponseInput<Config> extends RequestInput<Config> {
  choices: readonly Choice[];
}

/** A piece of a stream's text with what surrounds it. `text` ends where nothing more has come yet. */
export interface WindowInput<Config> extends PluginContext<Config> {
  /** `text`, `reasoning`, `refusal` or `tool-arguments`. */
  kind: string;
  text: string;
  /** What stands before this offset of `text` has gone on already and is only shown as the surroundings. */
  released: number;
  /**
   * What starts before this offset of `text` is decided now. What starts behind it is shown again with more
   * text around it, so a reject for it can wait.
   */
  settled: number;
  /** Whether this is the end of its run of text; then all of it is settled. */
  final: boolean;
}

export interface LogInput<Config> extends PluginContext<Config> {
  record: Readonly<LogRecord>;
}

export interface Notes {
  findings?: PluginFinding[];
  /** Goes to `plugin_runs[].debug`, for people. */
  debug?: JsonValue;
  annotations?: JsonObject;
}

/**
 * Of a plugin that keeps its own time: it did not see all that it was given. `reason` is for operators;
 * `tooLarge`: it never will (413 instead of 503).
 */
export interface Late {
  action: 'late';
  reason: string;
  tooLarge?: boolean;
}

/**
 * What stands in the changed texts for which value, such as `{"<PERSON_1>": "Ann"}`. Where the model says the one, the
 * client gets the other; logs and all other plugins have the stand-in. It is kept in memory alone, with its exchange.
 */
interface Restoring {
  restores?: Record<string, string>;
}

/** `modify` gives the whole list anew: texts may differ, roles and order may not. */
export type Result<Content> =
  | ({ action: 'pass' } & Notes)
  | ({ action: 'modify'; content: Content } & Restoring & Notes)
  | ({ action: 'reject'; message: string; code?: string; status?: number } & Notes);

/**
 * Spans of `text` to replace, in order and without overlap; a span that reaches over `settled` keeps the text
 * from its start on back. `keepFrom`, where it is less than `settled`, is where the plugin is not sure yet: text
 * from there on stays, for a bounded length, and comes again. A reject ends the stream with an error.
 */
export type WindowResult =
  | ({ action: 'pass'; keepFrom?: number } & Notes)
  | ({
      action: 'replace';
      spans: { start: number; end: number; replacement: string }[];
      keepFrom?: number;
    } & Restoring &
      Notes)
  | ({ action: 'reject'; message: string; code?: string; status?: number } & Notes);

export interface LogResult extends Notes {
  addTags?: string[];
}

export type { Choice, JsonObject, JsonValue, LogRecord, Message, Part, Phase, PluginFinding };
