import type { NeutralRequest } from '../../core/answer.js';
import type { ApiKey, Project } from '../../core/directory.js';
import type { SluiceError } from '../../core/errors.js';
import type { JsonDocument, JsonObject, JsonValue } from '../../core/json.js';
import type { PluginRun } from '../../core/log-record.js';
import type { Message } from '../../core/message.js';
import type { BodyHold } from '../../core/pacing/bodies-in-flight.js';
import type { Endpoint, FallbackReason, ModelChoice, Provider } from '../../core/settings.js';
import type { CallAddress, Correction, Dialect, RequestView } from '../../dialects/dialect.js';
import type { PreparedPlugin } from '../../plugins/runtime/host.js';
import { StandIns } from '../../plugins/stand-ins/stand-ins.js';
import type { Admission } from '../../policy/limits/traffic-limits.js';
import type { ExchangeTrace } from '../../telemetry/traces/exchange-trace.js';
import type { OutputContract } from '../../validation/output-contract.js';
import type { Attempt } from './attempt.js';
import type { Headers } from './http.js';
import type { ExchangeState } from './state.js';
import { canMove } from './state.js';
import type { ExchangeOutcome } from './whole-answer.js';

/** What is known of a client's request once its head was read and its key accepted. */
export interface ExchangeStart {
  /** The log id. */
  readonly id: string;
  readonly call: 'answer' | 'count_tokens';
  readonly dialect: Dialect;
  /** What its path says, for an API that has model and stream there. */
  readonly address?: CallAddress;
  readonly project: Project;
  readonly key: ApiKey;
  /** The client's, without credentials and what is Envoy's or ours. */
  readonly headers: Headers;
  readonly clientRequestId: string | null;
  readonly trace: ExchangeTrace;
  /** What its bodies take of `limits.bodies_in_flight_bytes`. */
  readonly bodies: BodyHold;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  /** The same moment on the monotonic clock. */
  readonly startedMonotonic: number;
}

/** What came of a client's request so far. One object per request; it goes through the phases in order. */
export class Exchange implements ExchangeStart {
  readonly id: string;
  readonly call: 'answer' | 'count_tokens';
  readonly dialect: Dialect;
  readonly address?: CallAddress;
  readonly project: Project;
  readonly key: ApiKey;
  readonly headers: Headers;
  readonly clientRequestId: string | null;
  readonly trace: ExchangeTrace;
  readonly bodies: BodyHold;
  readonly startedAt: number;
  readonly startedMonotonic: number;
  state: ExchangeState = 'receiving';
  /** The body as the client sent it. */
  original?: JsonDocument;
  /** The body as it goes on: the original, or what request plugins made of it. */
  document?: JsonDocument;
  view?: RequestView;
  endpoint?: Endpoint;
  /** Whose results count. */
  plugins: readonly PreparedPlugin[] = [];
  /** Whose results only the log has. */
  observers: readonly PreparedPlugin[] = [];
  observedRequest?: Promise<PluginRun[]>;
  /** The request's messages in neutral form, where a plugin needed them. */
  messages?: Message[];
  /** The request that `messages` were read from, before a plugin changed it. */
  guarded?: JsonDocument;
  /** What stands for which value in what goes to models and into the log; the client gets the values. */
  readonly standIns = new StandIns();
  /** Stands for the exchange where plugins keep something of it. */
  readonly token: object = {};
  metadata: JsonObject = {};
  tags: string[] = [];
  /** What the limits of its project said, where it has any. */
  admission?: Admission;
  /** What its answer must satisfy, where that is checked. */
  contract?: OutputContract;
  /** Why its answer is invalid, where it goes out all the same. */
  released?: SluiceError;
  /** The providers of its models as they were when the request went on: one may move while tries are to come. */
  readonly providers = new Map<string, Provider>();
  /** The models to try, in order. */
  plan: ModelChoice[] = [];
  readonly attempts: Attempt[] = [];
  readonly pluginRuns: PluginRun[] = [];
  /** The client's request in neutral form; made when a provider of another dialect needs it. */
  neutral?: NeutralRequest;
  /** What the attempts came to, where it is known whole before the client gets any of it. */
  outcome?: ExchangeOutcome;
  /** An answer that a response plugin rejected, as the log may have it. */
  rejectedAnswer?: { masked: JsonValue; asCame: JsonValue };
  /** Whether the tries go through the attempt filter, which judges them, or straight to the one model. */
  route: 'single' | 'chain' = 'single';
  /** When Envoy was last told to make a try; on the monotonic clock. */
  handedOverAt = 0;
  /** Headers that the last try set for its provider. */
  providerHeaders: string[] = [];
  /** Why the last try's output was invalid, for a retry that explains it. */
  correction?: Correction;
  /** Milliseconds from the start to the first piece of output. */
  firstTokenMs?: number;
  /** Milliseconds that the engine itself worked on it, without the work under way. */
  #workedMs = 0;
  #workBeganAt?: number;
  #abort?: AbortController;
  #cancelled = false;

  constructor(start: ExchangeStart) {
    this.id = start.id;
    this.call = start.call;
    this.dialect = start.dialect;
    this.address = start.address;
    this.project = start.project;
    this.key = start.key;
    this.headers = start.headers;
    this.clientRequestId = start.clientRequestId;
    this.trace = start.trace;
    this.bodies = start.bodies;
    this.startedAt = start.startedAt;
    this.startedMonotonic = start.startedMonotonic;
  }

  /** Aborted when the client has gone or the time is up; plugins see it. Made for those who ask. */
  get signal(): AbortSignal {
    if (this.#abort === undefined) {
      this.#abort = new AbortController();
      if (this.#cancelled) this.#abort.abort();
    }
    return this.#abort.signal;
  }

  get isCancelled(): boolean {
    return this.#cancelled;
  }

  /** Nobody waits for the answer any more. Where all has ended, nobody needs to be told. */
  cancel(): void {
    this.#cancelled = true;
    if (!this.ended) this.#abort?.abort();
  }

  /** An illegal move is a mistake of ours, never of a client. */
  move(to: ExchangeState): void {
    if (!canMove(this.state, to)) throw new Error(`exchange cannot go from ${this.state} to ${to}`);
    this.state = to;
  }

  /** The engine turns to this exchange; `now` is on the monotonic clock. */
  beginWork(now: number): void {
    this.#workBeganAt ??= now;
  }

  endWork(now: number): void {
    this.#workedMs = this.engineMs(now);
    this.#workBeganAt = undefined;
  }

  /** Milliseconds that the engine has worked on it so far. */
  engineMs(now: number): number {
    return this.#workedMs + (this.#workBeganAt === undefined ? 0 : now - this.#workBeganAt);
  }

  get ended(): boolean {
    return this.state === 'ended';
  }

  get currentAttempt(): Attempt | undefined {
    return this.attempts.at(-1);
  }

  /** Whether a failure of this kind may be answered by the next model. */
  canFallBack(reason: FallbackReason): boolean {
    return this.attempts.length < this.plan.length && this.endpoint?.fallback_on.includes(reason) === true;
  }
}
