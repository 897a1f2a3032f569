import type { ApiKey, Project } from '../../core/directory.js';
import type { JsonDocument } from '../../core/json.js';
import type { PluginRun } from '../../core/log-record.js';
import type { Message } from '../../core/message.js';
import type { BodyHold } from '../../core/pacing/bodies-in-flight.js';
import type { Endpoint, FallbackReason } from '../../core/settings.js';
import type { CallAddress, Dialect, RequestView } from '../../dialects/dialect.js';
import type { PreparedPlugin } from '../../plugins/runtime/host.js';
import { StandIns } from '../../plugins/stand-ins/stand-ins.js';
import type { Release } from '../../policy/concurrency/provider-gates.js';
import type { Admission } from '../../policy/limits/traffic-limits.js';
import type { StickyValue } from '../../policy/sticky/sticky-value.js';
import type { ExchangeTrace } from '../../telemetry/traces/exchange-trace.js';
import type { Attempt } from './attempt.js';
import type { Headers } from './http.js';
import type {
  ChainState,
  ExchangeCache,
  GuardedRequest,
  ReceivedRequest,
  ReleasedAnswer,
  RequestPlan,
  TargetEndpoint,
} from './parts.js';
import { canMove, type ExchangeState } from './state.js';
import type { ExchangeOutcome } from './whole-answer.js';

/** What is known about a client's request once its headers were read and its key accepted. */
export type ExchangeStart = Pick<
  Exchange,
  | 'id'
  | 'call'
  | 'dialect'
  | 'address'
  | 'project'
  | 'key'
  | 'headers'
  | 'clientRequestId'
  | 'trace'
  | 'bodies'
  | 'startedAt'
  | 'startedMonotonic'
>;

/**
 * One client request and all that follows from it. It is made when the request's key was accepted. Each stage adds its
 * part: `received`, `target`, `guarded` and `plan` by the request, `attempts`, `chain` and `outcome` by the attempts,
 * `released` by the answer. A part that is not there yet means that its stage was not reached.
 */
export class Exchange {
  /** The log id. */
  readonly id: string;
  readonly call: 'answer' | 'count_tokens';
  readonly dialect: Dialect;
  /** What the path contains, for an API with model and stream in the path. */
  readonly address?: CallAddress;
  readonly project: Project;
  readonly key: ApiKey;
  /** The client's headers, without credentials and those of Envoy or the gateway. */
  readonly headers: Headers;
  readonly clientRequestId: string | null;
  readonly trace: ExchangeTrace;
  /** Counts the exchange's bodies in `limits.bodies_in_flight_bytes`. */
  readonly bodies: BodyHold;
  /** The start in epoch milliseconds. */
  readonly startedAt: number;
  /** The same moment on the monotonic clock. */
  readonly startedMonotonic: number;
  state: ExchangeState = 'receiving';
  received?: ReceivedRequest;
  target?: TargetEndpoint;
  guarded?: GuardedRequest;
  plan?: RequestPlan;
  /** The messages of the request where no plugin had to read them. `requestMessages` reads them once. */
  messages?: Message[];
  /** The runs of the observers of the request. Nobody waits for them before the exchange ends. */
  observedRequest?: Promise<PluginRun[]>;
  /** The decision of the project's limits, where it has any. */
  admission?: Admission;
  cache?: ExchangeCache;
  /** Frees the place that the next attempt has at its provider, where the provider has `max_concurrent`. */
  place?: Release;
  /** The value by which models are drawn, where it is not the log id. */
  sticky?: StickyValue;
  /** The line of the question in the log's preview, where the value of the request was dropped. */
  inputLine?: string | null;
  readonly attempts: Attempt[] = [];
  readonly chain: ChainState = {
    route: 'single',
    providerHeaders: [],
    providers: new Map(),
  };
  /** The result of the attempts, where the whole answer is known before the client gets any of it. */
  outcome?: ExchangeOutcome;
  readonly released: ReleasedAnswer = {};
  readonly pluginRuns: PluginRun[] = [];
  /** The stand-ins in what models and the log get, with the values that the client gets instead. */
  readonly standIns = new StandIns();
  /** A key for plugins that remember something for the time of this exchange. */
  readonly token: object = {};
  /** How many milliseconds the engine worked on it, without the work in progress. */
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

  /** Aborted when the client disconnects or the time is over. Plugins see it. It is created when it is first used. */
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

  /** Called when nobody waits for the answer any more. An ended exchange need not signal that. */
  cancel(): void {
    this.#cancelled = true;
    if (!this.ended) this.#abort?.abort();
  }

  /** Moves to another state. An illegal move is a bug in this program and never a client's mistake. */
  move(to: ExchangeState): void {
    if (!canMove(this.state, to)) throw new Error(`exchange cannot go from ${this.state} to ${to}`);
    this.state = to;
  }

  /** Called when the engine starts to work on this exchange. `now` is on the monotonic clock. */
  beginWork(now: number): void {
    this.#workBeganAt ??= now;
  }

  endWork(now: number): void {
    this.#workedMs = this.engineMs(now);
    this.#workBeganAt = undefined;
  }

  /** How many milliseconds the engine has worked on it so far. */
  engineMs(now: number): number {
    return this.#workedMs + (this.#workBeganAt === undefined ? 0 : now - this.#workBeganAt);
  }

  get endpoint(): Endpoint | undefined {
    return this.target?.endpoint;
  }

  /** The plugins whose results count; none before the endpoint is known. */
  get plugins(): readonly PreparedPlugin[] {
    return this.target?.plugins ?? [];
  }

  /** The body that is sent on: what the client sent, or what the request plugins made of it. */
  get document(): JsonDocument | undefined {
    return (this.guarded ?? this.received)?.document;
  }

  get view(): RequestView | undefined {
    return (this.guarded ?? this.received)?.view;
  }

  /** Whether the client asked for a stream. */
  get wantsStream(): boolean {
    return this.view?.stream === true;
  }

  /**
   * Whether the client may get the answer while it arrives. Where the engine makes the attempts, Envoy accepts an
   * answer in pieces only where a stream was requested.
   */
  get mayFlow(): boolean {
    return this.wantsStream || this.chain.route !== 'engine';
  }

  get ended(): boolean {
    return this.state === 'ended';
  }

  /**
   * How many milliseconds one attempt may take. With `first_token_timeout_ms`, the first text of a stream must arrive
   * within that time.
   */
  get tryTimeoutMs(): number {
    const { timeout_ms, first_token_timeout_ms = timeout_ms } = this.endpoint!;
    const isEarly = this.waitsForText && this.currentAttempt?.textCame !== true;
    return isEarly ? Math.min(timeout_ms, first_token_timeout_ms) : timeout_ms;
  }

  /**
   * Whether an attempt counts as answered only with its first text, and not with its first event. This is false where
   * the output is validated, because Envoy enforces the timeout of each attempt and sees nothing of such a stream
   * before it is complete.
   */
  get waitsForText(): boolean {
    const isAwaited = this.endpoint?.first_token_timeout_ms !== undefined && this.wantsStream;
    return isAwaited && this.plan?.contract === undefined;
  }

  get currentAttempt(): Attempt | undefined {
    return this.attempts.at(-1);
  }

  /** Whether the next model may be tried after a failure of this kind. */
  canFallBack(reason: FallbackReason): boolean {
    const models = this.plan?.models.length ?? 0;
    return this.attempts.length < models && this.endpoint?.fallback_on.includes(reason) === true;
  }
}
