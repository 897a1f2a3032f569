import type { SluiceError } from '../core/errors.js';
import { heavyWork, isHeavy } from '../core/pacing/heavy-work.js';
import type { MaybePromise } from '../core/pacing/maybe-promise.js';
import { settle } from '../core/pacing/maybe-promise.js';
import { ENGINE_ROUTE, LENGTH_HEADER, PROVIDER_HEADER, READY_STATUS, ROUTE_HEADER } from '../envoy/names.js';
import { type Call, type CallListener, STATUS } from '../grpc/call.js';
import type { DisconnectedSide } from '../pipeline/answer/disconnect.js';
import { EngineChain, noEngineRoute, type TryEvent } from '../pipeline/answer/engine-chain.js';
import { replayAnswer } from '../pipeline/answer/replay-answer.js';
import { ResponseStage } from '../pipeline/answer/response-stage.js';
import { enterFirstProvider } from '../pipeline/attempt/enter-provider.js';
import { staleHeaders } from '../pipeline/attempt/forward-headers.js';
import { prepareAttempt } from '../pipeline/attempt/prepare-attempt.js';
import { finish } from '../pipeline/end/finish.js';
import type { Exchange } from '../pipeline/exchange/exchange.js';
import type { AnswerHead, Reply } from '../pipeline/exchange/http.js';
import type { Services } from '../pipeline/exchange/ports.js';
import { brokenReply, refusedReply, upgradeReply } from '../pipeline/exchange/replies.js';
import { readCors } from '../pipeline/request/cors.js';
import { chooseCounter, estimateTokens } from '../pipeline/request/count-tokens.js';
import { lookUpAnswer } from '../pipeline/request/look-up-answer.js';
import { open } from '../pipeline/request/open.js';
import { receive } from '../pipeline/request/receive.js';
import type { Abandoned } from './abandoned.js';
import { AnswerWriter } from './answer-writer.js';
import type { OpenRequest } from './drain-deadline.js';
import { EventQueue } from './event-queue.js';
import type { Exchanges } from './exchanges.js';
import { IncomingBody } from './incoming-body.js';
import { attemptsMade, changedRequest, READY_ANSWER, readAttribute, UPGRADE_REFUSED } from './messages.js';
import { PassedStream } from './passed-stream.js';
import type { HttpHeaders, ProcessingRequest, ProcessingResponse, Struct } from './protocol.js';
import { retryHeaders } from './retry-headers.js';
import { clusterOf, routeMetadata } from './route-metadata.js';
import { StreamTimer } from './stream-timer.js';
import { readProcessingRequest } from './wire/read-request.js';
import { writeProcessingResponse } from './wire/write-response.js';

type Event =
  | { type: 'message'; message: ProcessingRequest }
  | { type: 'refusal'; error: unknown }
  | { type: 'try'; event: TryEvent }
  | { type: 'passed' }
  | { type: 'timeout' }
  | { type: 'close' };

const EMPTY = Buffer.alloc(0);
/** The message to a client where Envoy has an older configuration, because an operator may restart only the engine. */
const OLDER_CONFIGURATION =
  "Envoy's configuration is that of an older version of Sluice. Write it again with `sluice envoy-config`, and restart Envoy.";
/** Tells Envoy to send the body, after the key was accepted. */
const GO_ON: ProcessingResponse = { requestHeaders: { response: {} } };

/** The body that Envoy gets for a request that Envoy answers itself. Nobody reads it. */
const NO_BODY = Buffer.from('{}');
/** The longest request that Envoy keeps while the models of a chain are asked. */
const MOST_HELD_BYTES = 64 * 1024;

/**
 * The stream of the filter `gateway`. It sees each client request once, then the answer that the client will get.
 * Envoy sends the body of a request complete and in one message, however many pieces the client sent: a short one
 * together with the headers, any other after the key was accepted. The body of the answer is in duplex mode.
 * `StreamTimer` enforces the timeouts, because Envoy does not.
 */
export class GatewayStream implements CallListener, OpenRequest {
  readonly #queue = new EventQueue<Event>(
    (event) => this.#take(event),
    (error) => this.#fail(error),
    (error) => this.#abandon(error),
  );
  readonly #timer = new StreamTimer(() => this.#queue.push({ type: 'timeout' }));
  readonly #answer = new AnswerWriter((message) => this.#write(message));
  #exchange?: Exchange;
  #stage?: ResponseStage;
  /** Present where the engine itself makes the attempts. */
  #chain?: EngineChain;
  /** The stream that an attempt of Envoy's chain passes on, where Envoy has chains. */
  #passed?: PassedStream;
  #joinKey?: string;
  #head?: HttpHeaders['headers'];
  readonly #body = new IncomingBody(() => this.services.limits().request_body_bytes);
  #hasLeft = false;
  #lost = false;
  #resolveClosed!: () => void;
  /** Resolves when Envoy has closed the stream and the exchange has ended. */
  readonly closed = new Promise<void>((resolve) => {
    this.#resolveClosed = resolve;
  });

  constructor(
    private readonly call: Call,
    private readonly services: Services,
    private readonly exchanges: Exchanges,
    /** The route for a chain of models. Undefined where Envoy has no chains, as in a mesh: the engine then makes the attempts. */
    private readonly chainRoute: string | undefined,
    private readonly abandoned: Abandoned,
  ) {}

  /** Whether a body of this length, which must arrive in one message, is within the limit of a request body. */
  accepts(bytes: number): boolean {
    if (this.#body.received || this.#exchange === undefined) return !this.#answer.finished;
    try {
      this.#body.expect(bytes, this.#exchange.bodies);
      return true;
    } catch (error) {
      this.#body.received = true;
      this.#queue.push({ type: 'refusal', error });
      return false;
    }
  }

  onMessage(message: Buffer): Promise<void> | undefined {
    return this.#queue.push({ type: 'message', message: readProcessingRequest(message) });
  }

  get totalTimeoutMs(): number | undefined {
    return this.#exchange?.endpoint?.total_timeout_ms;
  }

  giveUp(error: SluiceError): void {
    void this.#queue.push({ type: 'refusal', error });
  }

  /** Envoy half-closes the stream when it is done with a request, and where the client has disconnected. */
  onLeave(lost: boolean): void {
    this.#hasLeft = true;
    this.#lost = lost;
    this.#exchange?.cancel();
    this.#passed?.drop();
    if (lost) this.#lose();
  }

  onEnd(lost: boolean): void {
    if (!lost) this.#queue.push({ type: 'close' });
  }

  /** Drops waiting events, which nobody needs any more. */
  #lose(): void {
    this.#queue.close();
    this.#close().catch((error) => this.#abandon(error));
  }

  #take(event: Event): MaybePromise<void> {
    if (event.type === 'close') return this.#close();
    if (this.#answer.finished) return this.#passed?.drop();
    this.#exchange?.beginWork(this.services.clock.monotonic());
    const pending = this.#takeOpen(event);
    if (pending === undefined) return this.#rest();
    return pending.then(() => this.#rest());
  }

  #takeOpen(event: Exclude<Event, { type: 'close' }>): MaybePromise<void> {
    switch (event.type) {
      case 'message':
        return this.#takeMessage(event.message);
      case 'try':
        return this.#chain?.take(event.event);
      case 'passed':
        return this.#passed?.giveTo(this.#stage!);
      case 'refusal':
        return this.#fail(event.error);
      default:
        // The expected event may have arrived without being read yet.
        return this.call.hasWaiting || this.#passed?.hasWaiting === true ? undefined : this.#onTimeout();
    }
  }

  /** The chain and the stage each check whether their own time is over. */
  #onTimeout(): MaybePromise<void> {
    if (this.#chain === undefined) return this.#stage?.onTimeout();
    return this.#chain.onTimeout().then(() => this.#stage?.onTimeout());
  }

  #rest(): void {
    this.#exchange?.endWork(this.services.clock.monotonic());
    if (this.#stage === undefined) return;
    if (this.#chain === undefined) this.#timer.set(this.#stage.timeLeft());
    else if (this.#answer.finished) this.#chain.cancel();
    else this.#timer.set(Math.min(this.#stage.timeLeft(), this.#chain.timeLeft()));
  }

  #takeMessage(message: ProcessingRequest): MaybePromise<void> {
    switch (message.request) {
      case 'requestHeaders':
        return this.#onRequestHeaders(message.requestHeaders!, message.duplexRequest === true);
      case 'requestBody':
        return this.#onRequestBody(
          message.requestBody?.body ?? EMPTY,
          message.requestBody?.endOfStream === true,
        );
      case 'requestTrailers':
        return this.#onWholeBody(this.#body.takeTrailers());
      case 'responseHeaders':
        // Envoy may have given up the last attempt before it began in the engine.
        return settle(this.exchanges.begun(this.#joinKey ?? '', attemptsMade(message)), () =>
          this.#onResponseHeaders(message),
        );
      case 'responseBody':
        return this.#onResponseBody(message.responseBody?.body, message.responseBody?.endOfStream === true);
      case 'responseTrailers':
        this.#answer.ends = 'trailers';
        if (this.#passed !== undefined) return this.#passed.open();
        return this.#chain === undefined ? this.#stage?.onEnd() : undefined;
      default:
        // A message without a known field is ignored.
        return undefined;
    }
  }

  #onRequestHeaders(message: HttpHeaders, isDuplex: boolean): MaybePromise<void> {
    if (this.#hasLeft && !this.abandoned.allows(this.services.clock.monotonic())) return undefined;
    const { headers } = message;
    this.#head = headers;
    const envoyTraceparent = this.call.metadata.get('traceparent');
    const head = { method: headers[':method'] ?? '', path: headers[':path'] ?? '', headers };
    const announced = Number(headers['content-length'] ?? 0);
    if (!this.#body.begin(announced, isDuplex)) return this.#refuseConfiguration();
    const cors = readCors(head, this.services.directory);
    this.#answer.page = cors?.headers;
    if (cors?.preflight !== undefined) return this.#answer.reply(cors.preflight);
    const opening = open(head, envoyTraceparent, this.services);
    if (opening.kind === 'reply') return this.#answer.reply(opening.reply);
    this.#exchange = opening.exchange;
    this.#exchange.beginWork(this.services.clock.monotonic());
    this.#stage = new ResponseStage(opening.exchange, this.services, this.#answer, finish);
    this.#body.check(announced, this.#exchange.bodies);
    if (message.endOfStream) return this.#onRequest(EMPTY);
    if (!isDuplex) this.#write(GO_ON);
  }

  #refuseConfiguration(): void {
    this.services.logger.error({}, OLDER_CONFIGURATION);
    const path = this.#head?.[':path'] ?? '';
    this.#answer.reply(brokenReply(path, OLDER_CONFIGURATION, this.services.newLogId()));
  }

  #onRequestBody(body: Buffer, isLast: boolean): MaybePromise<void> {
    // The client had left before the engine looked at the headers.
    if (this.#exchange === undefined) return undefined;
    if (this.#body.isTogether && this.#body.received) return this.#refuseConfiguration();
    return this.#onWholeBody(this.#body.take(body, isLast, this.#exchange.bodies));
  }

  #onWholeBody(body: Buffer | undefined): MaybePromise<void> {
    return body === undefined ? undefined : this.#onRequest(body);
  }

  async #onRequest(body: Buffer): Promise<void> {
    const exchange = this.#exchange!;
    await receive(exchange, body, this.services);
    if (exchange.call === 'count_tokens' && !chooseCounter(exchange, this.services)) {
      this.#answer.reply(await estimateTokens(exchange));
      return;
    }
    if (isHeavy(body.length)) await heavyWork.next();
    const cached = exchange.endpoint!.cache && (await lookUpAnswer(exchange, this.services));
    if (exchange.ended) return;
    if (cached !== undefined) {
      const reply = (whole: Reply) => this.#answer.reply(whole);
      return replayAnswer(exchange, cached, this.services, reply, finish);
    }
    await enterFirstProvider(exchange, this.services);
    if (exchange.ended) return;
    exchange.move('forwarded');
    if (exchange.plan!.models.length === 1) return this.#forwardSingle(exchange);
    if (this.chainRoute === undefined) return this.#keepTries(exchange, body);
    this.#forwardChain(exchange, this.chainRoute);
  }

  /**
   * Starts the attempts that the engine itself makes. An answer that must be complete is the engine's reply to the
   * request, which Envoy holds until then. Where the answer may flow, Envoy begins an answer of its own, and the
   * engine replaces it by the model's answer.
   */
  #keepTries(exchange: Exchange, body: Buffer): MaybePromise<void> {
    exchange.chain.route = 'engine';
    this.#chain = new EngineChain(exchange, this.services, this.#stage!, {
      push: (event) => void this.#queue.push({ type: 'try', event }),
      answers: (head) => this.#answer.takeHeaders(head.headers),
    });
    if (exchange.wantsStream || body.length > MOST_HELD_BYTES) {
      return this.#forward(exchange, { [ROUTE_HEADER]: ENGINE_ROUTE }, NO_BODY);
    }
    this.#answer.inOnePiece = this.#metadataOf(exchange);
    return this.#chain.start();
  }

  /** Sends a request with one model on. The attempt filter is off, so its only attempt is written and judged here. */
  #forwardSingle(exchange: Exchange): MaybePromise<void> {
    const { path, headers, body } = prepareAttempt(exchange, this.services);
    const route: Record<string, string> =
      this.chainRoute === undefined
        ? { [PROVIDER_HEADER]: clusterOf(exchange, exchange.plan!.models[0]!, this.services) }
        : { [ROUTE_HEADER]: 'single' };
    const set: Record<string, string> = { ':path': path, ...headers, ...route };
    // The client may disconnect while a long body is written.
    return settle(body, (written) => {
      if (exchange.ended) return;
      // Envoy removes the length of a body that replaces another one, and restores it from this header.
      if (this.#body.isTogether) set[LENGTH_HEADER] = String(written.length);
      this.#forward(exchange, set, written);
    });
  }

  /** Sends a request with several models on. Envoy gets no body to keep, because the attempt filter writes each attempt. */
  #forwardChain(exchange: Exchange, route: string): void {
    exchange.chain.route = 'chain';
    this.#passed = new PassedStream(exchange.bodies, {
      wake: () => void this.#queue.push({ type: 'passed' }),
      fail: (error) => void this.#queue.push({ type: 'refusal', error }),
    });
    this.#forward(exchange, { [ROUTE_HEADER]: route, ...retryHeaders(exchange) }, NO_BODY);
  }

  #forward(exchange: Exchange, set: Record<string, string>, body: Buffer): void {
    const stale = staleHeaders(this.#head!).filter((name) => !(name in set));
    const dynamicMetadata = this.#metadataOf(exchange);
    const answer = changedRequest({ set, remove: stale }, body, this.#body.isTogether);
    this.#write({ dynamicMetadata, ...answer });
  }

  /** The dynamic metadata for Envoy. From here on, the exchange can be found by its key. */
  #metadataOf(exchange: Exchange): Struct {
    this.#joinKey = this.exchanges.add(exchange, this.#passed);
    const page = this.#answer.page?.['access-control-allow-origin'];
    return routeMetadata(exchange, this.services, this.#joinKey, page);
  }

  #onResponseHeaders(message: ProcessingRequest): MaybePromise<void> {
    const headers = message.responseHeaders!.headers;
    const details = readAttribute(message, 'response.code_details');
    const head: AnswerHead = { status: Number(headers[':status']), headers };
    this.#answer.shown = headers;
    const stage = this.#stage;
    // Envoy refused the request, for example because of its protocol, and never sent it.
    if (stage === undefined) {
      const id = this.services.newLogId();
      // Clients that try a WebSocket first continue with HTTP only when they get this status.
      if (details === UPGRADE_REFUSED) return this.#answer.reply(upgradeReply(id));
      return this.#answer.reply(refusedReply(head.status, details, id));
    }
    if (this.#chain !== undefined) {
      return details === READY_ANSWER && head.status === READY_STATUS
        ? this.#chain.start()
        : stage.fail(noEngineRoute());
    }
    if (details !== undefined && details !== 'via_upstream') head.localReason = details;
    if (!message.responseHeaders!.endOfStream) return stage.onHead(head);
    this.#answer.ends = 'headers';
    return settle(stage.onHead(head), () => stage.onEnd());
  }

  #onResponseBody(chunk: Buffer | undefined, last: boolean): MaybePromise<void> {
    // This event belongs to Envoy's own answer, which the model's answer replaces.
    if (this.#chain !== undefined) return undefined;
    // The bytes come from the attempt inside the engine. This message only says that there is a body.
    if (this.#passed !== undefined) return this.#passed.open();
    if (chunk === undefined || chunk.length === 0) return last ? this.#stage?.onEnd() : undefined;
    const pushed = this.#stage?.onChunk(chunk, last);
    return last ? settle(pushed, () => this.#stage?.onEnd()) : pushed;
  }

  async #fail(error: unknown): Promise<void> {
    if (this.#stage !== undefined) return this.#stage.fail(error);
    this.services.logger.error({ err: error }, 'a gateway stream failed before its exchange began');
    this.call.fail(STATUS.internal, 'no exchange');
  }

  /** Handles an unexpected error: Envoy answers in our place, and only this stream ends. */
  #abandon(error: unknown): void {
    this.services.logger.error({ err: error, log_id: this.#exchange?.id }, 'a gateway stream was abandoned');
    this.call.fail(STATUS.internal, 'the exchange was abandoned');
  }

  async #close(): Promise<void> {
    this.#timer.clear();
    this.#chain?.cancel();
    try {
      await this.#stage?.onClose(await this.#disconnectedSide());
    } finally {
      if (this.#joinKey !== undefined) this.exchanges.remove(this.#joinKey);
      this.#exchange?.bodies.release();
      this.call.end();
      this.#resolveClosed();
    }
  }

  async #disconnectedSide(): Promise<DisconnectedSide> {
    const attempt = this.#exchange?.currentAttempt;
    const isAnswered = this.#answer.finished || this.#joinKey === undefined || attempt === undefined;
    const isAsked = this.#chain === undefined && !this.#lost && !isAnswered;
    if (isAsked && (await this.exchanges.isBrokenOff(this.#joinKey!))) return 'model';
    return this.#lost ? 'gateway' : 'client';
  }

  #write(message: ProcessingResponse): void {
    if (this.call.writable) this.call.write(writeProcessingResponse(message));
  }
}
