import { TIMER_EARLY_MS } from '../core/clock.js';
import { SluiceError } from '../core/errors.js';
import type { MaybePromise } from '../core/pacing/maybe-promise.js';
import { settle } from '../core/pacing/maybe-promise.js';
import type { FallbackReason } from '../core/settings.js';
import { ATTEMPT_HEADER, EXCHANGE_NAMESPACE, JOIN_KEY, RETRY_HEADER } from '../envoy/names.js';
import { type Call, type CallListener, STATUS } from '../grpc/call.js';
import { enterProvider, noPlace } from '../pipeline/attempt/enter-provider.js';
import type { UnansweredReason } from '../pipeline/attempt/failures.js';
import { closeUnanswered, unansweredError } from '../pipeline/attempt/failures.js';
import { goesToEveryProvider } from '../pipeline/attempt/forward-headers.js';
import type { JudgeOutlet } from '../pipeline/attempt/judge.js';
import { Judge } from '../pipeline/attempt/judge.js';
import type { PreparedAttempt } from '../pipeline/attempt/prepare-attempt.js';
import { prepareAttempt } from '../pipeline/attempt/prepare-attempt.js';
import type { Attempt } from '../pipeline/exchange/attempt.js';
import type { Exchange } from '../pipeline/exchange/exchange.js';
import type { Services } from '../pipeline/exchange/ports.js';
import { EventQueue } from './event-queue.js';
import type { Exchanges } from './exchanges.js';
import type { LongAnswer, LongAnswers } from './long-answers.js';
import { bodyPieces, readDynamicMetadata } from './messages.js';
import type { PassedStream } from './passed-stream.js';
import type { ProcessingRequest, ProcessingResponse } from './protocol.js';
import { StreamTimer } from './stream-timer.js';
import { readProcessingRequest } from './wire/read-request.js';
import { writeProcessingResponse } from './wire/write-response.js';

type Event = ProcessingRequest | SluiceError | 'quiet' | 'close';

const EMPTY = Buffer.alloc(0);
const ANYTHING = Buffer.from('\n');
/** An answer that is longer than this is read ahead. Few answers of models are so long. */
const LONG_ANSWER_BYTES = 1 << 20;
/** Headers that would make our Envoy try the next model if a provider sent them, perhaps from an Envoy in front of it. */
const STEERING_HEADERS = [RETRY_HEADER, 'x-envoy-ratelimited', 'x-envoy-overloaded'];

/**
 * The stream of the filter `attempt`. It sees each attempt at a model, writes its request, and judges its answer
 * before Envoy's router sees it.
 */
export class AttemptStream implements CallListener, JudgeOutlet, LongAnswer {
  readonly #queue = new EventQueue<Event>(
    (event) => this.#take(event),
    (error) => this.#fail(error),
    (error) => this.#abandon(error),
  );
  readonly #timer = new StreamTimer(() => this.#queue.push('quiet'));
  #exchange?: Exchange;
  /** Receives the answer where it is passed on inside the engine. */
  #passed?: PassedStream;
  receivedBytes = 0;
  #judge?: Judge;
  #headSent = false;
  #noBody = false;
  #trailers = false;
  /** Whether the model's answer has ended. */
  #ended = false;
  #finished = false;

  constructor(
    private readonly call: Call,
    private readonly services: Services,
    private readonly exchanges: Exchanges,
    private readonly longAnswers: LongAnswers,
  ) {}

  onMessage(message: Buffer): Promise<void> | undefined {
    return this.#queue.push(readProcessingRequest(message));
  }

  onLeave(lost: boolean): void {
    this.longAnswers.delete(this);
    if (lost) this.#queue.close();
  }

  onEnd(): void {
    this.#queue.push('close');
  }

  giveUp(error: SluiceError): void {
    this.longAnswers.delete(this);
    this.#queue.push(error);
  }

  #take(event: Event): MaybePromise<void> {
    if (event === 'close') {
      this.#finished = true;
      this.longAnswers.delete(this);
      this.#timer.clear();
      this.call.end();
      return;
    }
    if (this.#finished) return;
    if (event instanceof SluiceError) return this.#giveUp(event);
    const exchange = this.#exchange;
    exchange?.beginWork(this.services.clock.monotonic());
    const pending = event === 'quiet' ? this.#onQuiet() : this.#takeMessage(event);
    if (pending === undefined) return this.#rest();
    return pending.then(() => this.#rest());
  }

  #rest(): void {
    this.#exchange?.endWork(this.services.clock.monotonic());
    this.#timer.set(this.#quietLeft());
  }

  #quietLeft(): number {
    const isOver = this.#finished || !this.call.writable;
    return isOver ? Number.POSITIVE_INFINITY : (this.#judge?.quietLeft() ?? Number.POSITIVE_INFINITY);
  }

  /** A chunk may have arrived while the timer's event was waiting. */
  #onQuiet(): Promise<void> | undefined {
    return this.call.hasWaiting || this.#quietLeft() > TIMER_EARLY_MS ? undefined : this.#judge?.onQuiet();
  }

  #takeMessage(message: ProcessingRequest): MaybePromise<void> {
    switch (message.request) {
      case 'requestHeaders':
        return this.#onRequestHeaders(message);
      case 'responseHeaders': {
        const headers = message.responseHeaders!.headers;
        this.#judge?.onHead({ status: Number(headers[':status']), headers });
        this.#noBody = message.responseHeaders!.endOfStream === true;
        this.#ended = this.#noBody;
        return this.#noBody ? this.#judge?.onEnd() : undefined;
      }
      case 'responseBody': {
        const { body, endOfStream } = message.responseBody!;
        this.#ended = endOfStream === true;
        if (body !== undefined) this.#count(body.length);
        const pushed = body === undefined || body.length === 0 ? undefined : this.#judge?.onChunk(body);
        return endOfStream ? settle(pushed, () => this.#onEnd()) : pushed;
      }
      case 'responseTrailers':
        this.#trailers = true;
        this.#ended = true;
        return this.#onEnd();
      default:
        // Envoy does not send request bodies to this filter, and trailers of a request change nothing.
        return undefined;
    }
  }

  /** Envoy keeps what is not read of an answer, without a bound. */
  #count(bytes: number): void {
    const before = this.receivedBytes;
    this.receivedBytes += bytes;
    if (before > LONG_ANSWER_BYTES || this.receivedBytes <= LONG_ANSWER_BYTES) return;
    this.call.readAhead?.();
    this.longAnswers.add(this);
  }

  #onEnd(): Promise<void> | undefined {
    // The judge may have decided with the last chunk.
    return this.#finished ? undefined : this.#judge?.onEnd();
  }

  #onRequestHeaders(message: ProcessingRequest): MaybePromise<void> {
    const key = readDynamicMetadata(message, EXCHANGE_NAMESPACE, JOIN_KEY) ?? '';
    const { exchange, passed } = this.exchanges.find(key) ?? {};
    if (exchange === undefined || exchange.ended) {
      // The client has just disconnected. Nobody waits for this attempt, and its end was recorded.
      this.#refuse(503);
      return;
    }
    this.#exchange = exchange;
    this.#passed = passed;
    return this.exchanges.beginInTurn(key, () => this.#follow(exchange, message.requestHeaders!.headers));
  }

  #follow(exchange: Exchange, headers: Readonly<Record<string, string>>): MaybePromise<void> {
    if (exchange.ended) return this.#refuse(503);
    // Envoy went on to the next model while this attempt waited to begin, so the body would reach another provider.
    const next = exchange.attempts.length + 1;
    if (Number(headers[ATTEMPT_HEADER] ?? next) !== next)
      return this.#refuseWith(exchange, unansweredError('timeout'));
    const before = exchange.currentAttempt;
    if (before === undefined || before.closed) return this.#begin(exchange, headers);
    return settle(this.exchanges.whyUnanswered(exchange.id, before.number), (reason) => {
      if (exchange.ended) this.#refuse(503);
      else if (this.#mayFollow(exchange, before, reason)) return this.#begin(exchange, headers);
    });
  }

  #begin(exchange: Exchange, headers: Readonly<Record<string, string>>): MaybePromise<void> {
    exchange.outcome = undefined;
    exchange.bodies.dropAnswer();
    // The place at the provider of the first attempt was taken before the request was sent on.
    const entering = exchange.attempts.length === 0 ? undefined : enterProvider(exchange, this.services);
    if (entering === undefined) return this.#prepare(exchange, headers);
    return entering.then((entered) => {
      if (exchange.ended) return this.#refuse(503);
      return entered ? this.#prepare(exchange, headers) : this.#refuseWith(exchange, noPlace());
    });
  }

  #prepare(exchange: Exchange, headers: Readonly<Record<string, string>>): void | Promise<void> {
    const written = exchange.chain.providerHeaders;
    const prepared = prepareAttempt(exchange, this.services);
    exchange.chain.providerHeaders = Object.keys(prepared.headers);
    this.#judge = new Judge(exchange, prepared.attempt, this.services, this);
    const { body } = prepared;
    return settle(body, (bytes) =>
      // The client may disconnect while a long body is written.
      exchange.ended ? this.#refuse(503) : this.#writeAttempt(exchange, prepared, bytes, headers, written),
    );
  }

  /** Whether this attempt may follow the previous one, which got no answer. Envoy reports several reasons in the same way. */
  #mayFollow(exchange: Exchange, before: Attempt, reason: UnansweredReason): boolean {
    closeUnanswered(before, reason, this.services);
    if (exchange.endpoint!.fallback_on.includes(reason)) return true;
    this.#refuseWith(exchange, unansweredError(reason));
    return false;
  }

  #writeAttempt(
    exchange: Exchange,
    prepared: PreparedAttempt,
    body: Buffer,
    headers: Readonly<Record<string, string>>,
    written: readonly string[],
  ): void {
    const set: Record<string, string> = {
      ':path': prepared.path,
      ...prepared.headers,
    };
    const remove: string[] = [];
    // Headers that the previous attempt set for its provider, above all its credential, must not reach this
    // provider.
    for (const name of written) {
      if (name in set) continue;
      const own = goesToEveryProvider(name) ? exchange.headers[name] : undefined;
      if (own === undefined) remove.push(name);
      else set[name] = own;
    }
    for (const name of Object.keys(headers)) {
      if (name.startsWith('x-envoy-')) remove.push(name);
    }
    this.#write({
      requestHeaders: {
        response: {
          status: 'CONTINUE_AND_REPLACE',
          headerMutation: { set, remove },
          bodyMutation: { body },
        },
      },
      modeOverride: {
        requestHeaderMode: 'SEND',
        responseHeaderMode: 'SEND',
        responseBodyMode: 'FULL_DUPLEX_STREAMED',
        responseTrailerMode: 'SEND',
      },
    });
  }

  // JudgeOutlet ------------------------------------------------------------------------------------------

  pass(bytes: Buffer): void {
    if (!this.#headSent) {
      this.#writeHead({});
      this.#allowBody();
    }
    this.#passed?.pass(bytes);
  }

  end(): void {
    if (!this.#headSent) this.#writeHead({});
    this.#writeEnd();
    this.#passed?.end();
  }

  answer(status: number): void {
    this.#writeHead({ ':status': String(status) });
    this.#finished = true;
    // If this stream ended before the model's answer, Envoy would keep the model's connection open until the model
    // ends. So the gateway's stream ends the answer.
    if (this.#ended) this.#writeEnd();
    else this.#allowBody();
  }

  retry(reason: FallbackReason): void {
    this.#writeHead({ ':status': '502', [RETRY_HEADER]: reason });
    this.#writeEnd();
  }

  #writeHead(set: Record<string, string>): void {
    this.#headSent = true;
    this.#write({
      responseHeaders: {
        response: {
          headerMutation: { set, remove: STEERING_HEADERS.filter((name) => !(name in set)) },
        },
      },
    });
  }

  /** Lets the gateway's stream write the body. It does so once some of it has arrived there. */
  #allowBody(): void {
    if (this.#noBody) return;
    for (const response of bodyPieces(ANYTHING, false)) this.#write({ responseBody: { response } });
  }

  #writeEnd(): void {
    this.#finished = true;
    if (this.#noBody) return;
    if (this.#trailers) this.#write({ responseTrailers: {} });
    else for (const response of bodyPieces(EMPTY, true)) this.#write({ responseBody: { response } });
  }

  // ------------------------------------------------------------------------------------------------------

  /** The gateway's stream ends an answer that it was given, and Envoy then closes this one. */
  #giveUp(error: SluiceError): void {
    if (this.#headSent && this.#passed !== undefined) {
      this.#finished = true;
      this.#passed.fail(error);
    } else this.#fail(error);
  }

  #fail(cause: unknown): void {
    const exchange = this.#exchange;
    const error =
      cause instanceof SluiceError
        ? cause
        : new SluiceError('internal_error', 'An internal error occurred.', { cause });
    if (exchange !== undefined) exchange.outcome = { kind: 'failure', error };
    else this.services.logger.error({ err: cause }, 'an attempt failed');
    if (this.#headSent) {
      this.#writeEnd();
      return;
    }
    this.#refuse(error.status);
  }

  /** Handles an unexpected error: Envoy answers in our place, and only this attempt ends. */
  #abandon(error: unknown): void {
    this.services.logger.error({ err: error, log_id: this.#exchange?.id }, 'an attempt was abandoned');
    this.call.fail(STATUS.internal, 'the try was abandoned');
  }

  #refuseWith(exchange: Exchange, error: SluiceError): void {
    exchange.outcome = { kind: 'failure', error };
    this.#refuse(error.status);
  }

  /**
   * Refuses the attempt with the only kind of answer from this filter that Envoy does not retry. The gateway's stream
   * writes the client's answer.
   */
  #refuse(status: number): void {
    this.#finished = true;
    this.#write({ immediateResponse: { status: { code: status }, body: EMPTY, details: 'sluice' } });
  }

  #write(message: ProcessingResponse): void {
    if (this.call.writable) this.call.write(writeProcessingResponse(message));
  }
}
