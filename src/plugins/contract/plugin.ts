import type { Choice } from '../../core/answer.js';
import type { JsonObject, JsonValue } from '../../core/json.js';
import type { LogRecord, PluginFinding } from '../../core/log-record.js';
import type { Message, Part } from '../../core/message.js';
import type { MaybePromise } from '../../core/pacing/maybe-promise.js';
import type { Phase } from '../../core/settings.js';
import type { KnownStandIns } from '../stand-ins/stand-ins.js';

/**
 * The contract of a plugin. A plugin is a module whose default export is a `Plugin`. It depends only on this file:
 * `import type { Plugin } from 'sluice/plugin'`.
 *
 * - `request` runs once for each exchange, before a model is chosen, on all messages including earlier turns.
 * - `response` runs on a model's answer (2xx, known format) after output validation, before the client sees it.
 * - `log` runs after the client has its answer. It is repeated after a crash, so it must be idempotent.
 *
 * Functions may run for several exchanges at once. Each has a deadline, at which `signal` is aborted. A function that
 * throws, exceeds its deadline or returns an invalid value is stopped, and the exchange continues unless the operator set
 * `on_error: reject`. A plugin with `keepsTime` is not stopped.
 *
 * `definePlugin` gives `config` a type.
 */
export interface Plugin<Config = JsonObject> {
  /** The name in `plugins[].plugin`: lower case, digits, `_` and `-`. */
  readonly name: string;
  readonly description?: string;
  /** JSON Schema (2020-12) of `config`. Its defaults are filled in. */
  readonly configSchema: JsonObject;
  /**
   * Called once for each exchange. A plugin runs in all phases that it has a function for, unless the operator names
   * some.
   */
  request?(input: RequestInput<Config>): Answered<Result<Message[]>>;
  response?(input: ResponseInput<Config>): Answered<Result<Choice[]>>;
  log?(input: LogInput<Config>): Answered<LogResult>;
  /**
   * The result of `log`, where it is known or takes a fraction of a millisecond; else undefined, and `log` is called after the
   * answer. The end of the answer waits for this function. For a plugin with `readsOnly`.
   */
  logAtOnce?(input: LogInput<Config>): LogResult | undefined;
  /**
   * How `response` handles a stream. `whole` (default): the answer is held, shown to the plugin once, then replayed.
   * `{ window }`: text flows with a delay of this many UTF-16 units, and `responseWindow` is called instead.
   */
  readonly stream?: StreamMode;
  /** The same as `stream`, where it depends on the configuration. It overrides `stream`. */
  streamFor?(config: Config): StreamMode;
  /** Called for each window of a stream and, where there is no `response`, for each text of a plain answer. */
  responseWindow?(input: WindowInput<Config>): Answered<WindowResult>;
  /**
   * For a guard whose work depends on its input: the host sets no deadline. The plugin must end by `timeoutMs` of its
   * input, and returns `late` where it did not finish. That refuses the exchange unless the operator set `on_error:
   * allow`.
   */
  readonly keepsTime?: boolean;
  /** Whether its results for answers may have `restores`. A stream is then also searched for stand-ins. */
  restores?(config: Config): boolean;
  /** The plugin does not modify its input. Where all plugins of a phase say so, the input is not copied. */
  readonly readsOnly?: true;
  /** Called once for each endpoint's configuration. An error that it throws makes the configuration invalid. */
  prepare?(config: JsonObject): Config;
}

type Answered<Value> = MaybePromise<Value | Late>;

export type StreamMode = 'whole' | { window: number };

/**
 * The input of every function. Its content is a frozen copy, or the original where `readsOnly` makes a copy
 * unnecessary.
 */
export interface PluginContext<Config> {
  config: Config;
  /** The id of the exchange's log. */
  requestId: string;
  endpoint: string;
  metadata: JsonObject;
  /** The client's headers, without credentials and cookies. */
  headers: Readonly<Record<string, string>>;
  /** Aborted at the deadline, or when the client disconnects. */
  signal: AbortSignal;
  /** The operator's `timeout_ms`, in milliseconds. */
  timeoutMs: number;
  /** The stand-ins of earlier results in this exchange. Absent in a thread of its own (`isolate`). */
  standIns?: KnownStandIns;
  /**
   * An object that is the same in all phases of one exchange, for use as a key of a WeakMap. Absent in a thread of
   * its own, and where the LOG phase runs again after a crash.
   */
  exchange?: object;
}

export interface RequestInput<Config> extends PluginContext<Config> {
  messages: readonly Message[];
  /** The client's body in its own dialect; do not modify it. */
  requestBody: JsonObject;
}

export interface ResponseInput<Config> extends RequestInput<Config> {
  choices: readonly Choice[];
}

/** A piece of a stream's text with its surroundings. `text` ends where nothing more has arrived yet. */
export interface WindowInput<Config> extends PluginContext<Config> {
  /** The kind of text: `text`, `reasoning`, `refusal` or `tool-arguments`. */
  kind: string;
  text: string;
  /** The offset up to which text was already sent. That text is only context. */
  released: number;
  /**
   * The result is final for what starts before this offset of `text`. What starts later is shown again with more text
   * after it, so a rejection for it can wait.
   */
  settled: number;
  /** Whether the text ends here. All of it is then settled. */
  final: boolean;
}

export interface LogInput<Config> extends PluginContext<Config> {
  record: Readonly<LogRecord>;
}

export interface Notes {
  findings?: PluginFinding[];
  /** Details for people, which are copied to `plugin_runs[].debug`. */
  debug?: JsonValue;
  annotations?: JsonObject;
}

/**
 * For a plugin that keeps its own time: it did not check everything. `reason` is for operators. `tooLarge` means that
 * another try would fail too (the client gets 413 instead of 503).
 */
export interface Late {
  action: 'late';
  reason: string;
  tooLarge?: boolean;
}

/**
 * The values behind stand-ins in the changed texts, such as `{"<PERSON_1>": "Ann"}`. Where the model writes the
 * stand-in, the client gets the value; logs and all other plugins see the stand-in. Kept only in memory, for the time
 * of the exchange.
 */
interface Restoring {
  restores?: Record<string, string>;
}

/** `modify` returns the complete list: texts may differ, roles and order may not. */
export type Result<Content> =
  | ({ action: 'pass' } & Notes)
  | ({ action: 'modify'; content: Content } & Restoring & Notes)
  | ({ action: 'reject'; message: string; code?: string; status?: number } & Notes);

/**
 * Spans of `text` to replace, in order and without overlap. A span that extends beyond `settled` holds back the text
 * from its start on. `keepFrom`, where it is less than `settled`, marks text that the plugin is not sure about: it is
 * held back, up to a limit, and shown again. A rejection ends the stream with an error.
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
