import { assertNever } from '../../core/assert-never.js';
import { baseUrl } from '../../core/base-url.js';
import { TIMER_EARLY_MS } from '../../core/clock.js';
import { SluiceError } from '../../core/errors.js';
import type { MaybePromise } from '../../core/pacing/maybe-promise.js';
import { settle } from '../../core/pacing/maybe-promise.js';
import type { FallbackReason } from '../../core/settings.js';
import { enterProvider, noPlace } from '../attempt/enter-provider.js';
import { closeUnanswered, tryTimeLeft, type UnansweredReason, unansweredError } from '../attempt/failures.js';
import { headersOfTry } from '../attempt/forward-headers.js';
import { Judge, type JudgeOutlet } from '../attempt/judge.js';
import { prepareAttempt } from '../attempt/prepare-attempt.js';
import type { Attempt } from '../exchange/attempt.js';
import type { Exchange } from '../exchange/exchange.js';
import type { AnswerHead } from '../exchange/http.js';
import type { ProviderCall, ProviderEvent, Services } from '../exchange/ports.js';
import type { ResponseStage } from './response-stage.js';

/** An event of one try. It may still arrive after the try was given up. */
export interface TryEvent {
  attempt: Attempt;
  event: ProviderEvent;
}

/** Receives the answer of the chain. */
export interface EngineChainOutlet {
  /** Puts an event into the queue of the stream, which gives it to `take` in its turn. */
  push(event: TryEvent): void;
  /** Reports that from here on the client gets the answer of this provider. */
  answers(head: AnswerHead): void;
}

/**
 * The chain of models behind an Envoy without chains: the engine itself asks one model after the other, judges each
 * answer, and gives the accepted one to the response stage. Its functions must be called one after the other.
 */
export class EngineChain implements JudgeOutlet {
  #attempt?: Attempt;
  #judge?: Judge;
  #call?: ProviderCall;
  #head?: AnswerHead;
  /** Whether the answer of this try goes to the client. */
  #released = false;
  /** Whether the answer is sent as it arrives, so that the judge need not see the rest. */
  #flows = false;
  /** Whether the provider has ended its answer, or nobody waits for it any more. */
  #over = true;
  /** What the judge decided during the current step. It is carried out after the step. */
  #steps: (() => MaybePromise<void>)[] = [];

  constructor(
    private readonly exchange: Exchange,
    private readonly services: Services,
    private readonly stage: ResponseStage,
    private readonly outlet: EngineChainOutlet,
  ) {}

  /** Makes the first try. Throws where it cannot be written. */
  start(): Promise<void> {
    return this.#ask();
  }

  take({ attempt, event }: TryEvent): MaybePromise<void> {
    if (attempt !== this.#attempt || this.#over) return;
    switch (event.kind) {
      case 'head':
        this.#head = event.head;
        return this.#judge!.onHead(event.head);
      case 'chunk':
        return this.#onChunk(event.chunk);
      case 'end':
        this.#over = true;
        return this.#judged(this.#judge!.onEnd());
      case 'failed':
        this.#over = true;
        return this.#unanswered(event.connected ? 'server_error' : 'connect');
      default:
        assertNever(event);
    }
  }

  #onChunk(chunk: Buffer): MaybePromise<void> {
    const call = this.#call;
    const pushed = this.#flows ? this.stage.onChunk(chunk) : this.#judged(this.#judge!.onChunk(chunk));
    return settle(pushed, () => call?.taken(chunk.length));
  }

  /** The milliseconds until `onTimeout` must be called. */
  timeLeft(): number {
    if (this.#attempt === undefined || this.#released || this.#over) return Number.POSITIVE_INFINITY;
    return Math.min(this.#tryTimeLeft(), this.#judge!.quietLeft());
  }

  /** A timer that fires while an event is handled is reported afterwards, and may no longer be due. */
  async onTimeout(): Promise<void> {
    if (this.timeLeft() > TIMER_EARLY_MS) return;
    if (this.#tryTimeLeft() <= TIMER_EARLY_MS) {
      this.#hangUp();
      return this.#unanswered('timeout');
    }
    await this.#judged(this.#judge!.onQuiet());
  }

  /** Stops the chain, because nobody waits for an answer any more. */
  cancel(): void {
    this.#hangUp();
    this.#steps = [];
  }

  /**
   * Whether nobody waits any more. The client may disconnect while the engine waits for a place at the provider, or
   * writes a long body.
   */
  get #isUnwanted(): boolean {
    return this.exchange.ended || this.exchange.isCancelled;
  }

  #tryTimeLeft(): number {
    return tryTimeLeft(this.exchange, this.services.clock.monotonic());
  }

  async #ask(): Promise<void> {
    const { exchange, services } = this;
    exchange.outcome = undefined;
    exchange.bodies.dropAnswer();
    // The place at the provider of the first attempt was taken before the request was sent on.
    if (exchange.attempts.length > 0 && (await enterProvider(exchange, services)) === false) {
      const isLate = this.stage.timeLeft() <= TIMER_EARLY_MS;
      return isLate ? this.stage.onTimeout() : this.stage.fail(noPlace());
    }
    if (this.#isUnwanted) return;
    const { attempt, provider, path, headers, body } = prepareAttempt(exchange, services);
    const written = await body;
    if (this.#isUnwanted) return;
    this.#attempt = attempt;
    this.#head = undefined;
    this.#over = false;
    this.#judge = new Judge(exchange, attempt, services, this);
    const request = {
      origin: baseUrl(provider).origin,
      path,
      headers: headersOfTry(exchange.headers, Object.assign({}, headers, { 'x-request-id': exchange.id })),
      body: written,
    };
    this.#call = services.providers.ask(request, (event) => this.outlet.push({ attempt, event }));
  }

  /** Waits for a step of the judge, and carries out what it decided. */
  #judged(step: MaybePromise<void>): MaybePromise<void> {
    return settle(step, () => (this.#steps.length === 0 ? undefined : this.#carryOut()));
  }

  async #carryOut(): Promise<void> {
    for (let step = this.#steps.shift(); step !== undefined; step = this.#steps.shift()) await step();
  }

  /** Handles a try that got no answer, or only a part of it. */
  async #unanswered(reason: UnansweredReason): Promise<void> {
    const { exchange, services } = this;
    this.#steps = [];
    // After the stream's own last event, the provider may close its connection in any way.
    if (exchange.ended) return this.stage.onEnd();
    if (this.#released) return this.stage.fail(unansweredError(reason));
    const goesOn = exchange.canFallBack(reason);
    closeUnanswered(this.#attempt!, reason, services);
    if (goesOn) return this.#ask();
    await this.stage.fail(unansweredError(reason));
  }

  #hangUp(): void {
    if (!this.#over) this.#call?.cancel();
    this.#over = true;
  }

  // JudgeOutlet ------------------------------------------------------------------------------------------

  pass(bytes: Buffer): void {
    this.#release();
    this.#flows = true;
    this.#steps.push(() => this.stage.onChunk(bytes));
  }

  end(): void {
    this.#release();
    this.#steps.push(() => this.stage.onEnd());
  }

  answer(): void {
    this.#hangUp();
    this.#release();
  }

  retry(_reason: FallbackReason): void {
    this.#hangUp();
    this.#steps.push(() => this.#ask());
  }

  #release(): void {
    if (this.#released) return;
    this.#released = true;
    const head = this.#head!;
    this.#steps.push(() => {
      this.outlet.answers(head);
      return this.stage.onHead(head);
    });
  }
}

/**
 * The error for a request with several models, where Envoy's configuration has no route on which the engine makes the
 * attempts.
 */
export function noEngineRoute(): SluiceError {
  return new SluiceError(
    'upstream_unavailable',
    'This Envoy has no route for requests with several models. Write its configuration again with "sluice envoy-config".',
  );
}
