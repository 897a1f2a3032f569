import { TIMER_EARLY_MS } from '../../core/clock.js';
import { SluiceError, toSluiceError } from '../../core/errors.js';
import { heavyWork } from '../../core/pacing/heavy-work.js';
import { BROKEN_OFF, SAYS_NOTHING } from '../../dialects/translate/error-types.js';
import { formatFrame } from '../../dialects/wire/sse.js';
import { attemptHeaders, attemptStatusOf, closeWholeTry, statusOfError } from '../attempt/attempt-outcome.js';
import {
  closeUnanswered,
  noteHead,
  reasonOfLocalReply,
  tryTimeLeft,
  unansweredError,
} from '../attempt/failures.js';
import { Judge, ONLY_MODEL } from '../attempt/judge.js';
import { closeAttempt } from '../attempt/prepare-attempt.js';
import { AnswerCollector, answerKind, isSuccess } from '../attempt/read/answer-collector.js';
import { FirstText } from '../attempt/read/first-text.js';
import { AFTER_END_MS, OpenEnd } from '../attempt/read/open-end.js';
import { UnreadableAnswer } from '../exchange/content-decoder.js';
import type { Ending, FinishExchange } from '../exchange/ending.js';
import type { Exchange } from '../exchange/exchange.js';
import type { AnswerHead, AnswerOutlet } from '../exchange/http.js';
import type { Services } from '../exchange/ports.js';
import { errorReply, loggedBody, refusal } from '../exchange/replies.js';
import type { ExchangeOutcome, WholeAnswer } from '../exchange/whole-answer.js';
import { composeWhole } from './compose.js';
import { DISCONNECTS, type DisconnectedSide } from './disconnect.js';
import { emittedText, rejectedStream } from './emitted-text.js';
import { KeptAnswer } from './kept-answer.js';
import { KeepAlive } from './stream/keep-alive.js';
import { LiveStream } from './stream/live-stream.js';
import { writeHead } from './write-head.js';

/**
 * Brings the answer to the client. An answer that must be known as a whole is held; a stream that nothing holds flows through
 * `LiveStream`. In every case the exchange ends once, and its record is appended before the end of the answer.
 */
export class ResponseStage {
  #head?: AnswerHead;
  #collector?: AnswerCollector;
  #openEnd?: OpenEnd;
  #firstText?: FirstText;
  /** Judges the answer where the chain has one model. In a longer chain, each attempt was judged before. */
  #judge?: Judge;
  #live?: LiveStream;
  /** The bytes of a live stream that wait until a guard releases the first text. */
  #waiting: Buffer[] = [];
  #headReleased = false;
  #answered = false;
  /** Collects the answer for the cache of the endpoint. */
  #kept?: KeptAnswer;
  /** Set while the log is being written. */
  #finishing?: Promise<void>;
  #lastEventAt = 0;
  readonly #keepAlive: KeepAlive;

  constructor(
    private readonly exchange: Exchange,
    private readonly services: Services,
    private readonly outlet: AnswerOutlet,
    private readonly finish: FinishExchange,
  ) {
    this.#keepAlive = new KeepAlive(exchange, services.clock, outlet);
  }

  async onHead(head: AnswerHead): Promise<void> {
    if (this.#answered) return;
    this.#head = head;
    if (this.exchange.cache?.state === 'miss') this.#kept = new KeptAnswer(this.exchange, this.services);
    this.#keepAlive.onHead(head);
    const { exchange, services } = this;
    const attempt = exchange.currentAttempt;
    if (exchange.outcome !== undefined) return this.#answerKnown(exchange.outcome);
    // The client took too long to send its request, or sent it in a broken way.
    if (attempt === undefined) return this.fail(refusal(head.status, head.localReason));
    if (head.localReason !== undefined) {
      const reason = reasonOfLocalReply(head.localReason);
      closeUnanswered(attempt, reason, services);
      return this.fail(unansweredError(reason));
    }
    if (exchange.plan?.contract !== undefined) {
      this.#judge = new Judge(exchange, attempt, services, ONLY_MODEL);
      return this.#judge.onHead(head);
    }
    noteHead(attempt, head, services);
    const need = services.plugins.streamNeed(exchange.plugins);
    const changes = need === 'window' || exchange.standIns.size > 0;
    const holds = !exchange.mayFlow || need === 'whole' || (changes && attempt.dialect.guardsWhole === true);
    if (isSuccess(head.status) && answerKind(head) === 'stream' && !holds) {
      if (need === 'window') attempt.endHold = exchange.trace.work('hold answer', attempt.number);
      this.#live = new LiveStream(exchange, attempt, head, services);
    } else {
      if (isSuccess(head.status)) attempt.endHold = exchange.trace.work('hold answer', attempt.number);
      const { response_body_bytes: most } = services.limits();
      this.#collector = new AnswerCollector(attempt.dialect, head, most, exchange.bodies, attempt.secrets);
      this.#openEnd = new OpenEnd(this.#collector, attempt.dialect, services.clock);
      if (exchange.waitsForText) this.#firstText = new FirstText(attempt, head);
    }
  }

  async onChunk(chunk: Buffer): Promise<void> {
    if (this.#answered) return;
    this.#kept?.add(chunk);
    this.#firstText?.look(chunk);
    try {
      if (this.#live !== undefined) await this.#flow(await this.#live.push(chunk));
      else if (this.#judge !== undefined) await this.#judged(this.#judge.onChunk(chunk));
      else await this.#collector?.push(chunk);
      this.#openEnd?.note();
    } catch (error) {
      await this.fail(error);
    }
  }

  async onEnd(): Promise<void> {
    if (!this.#answered) await this.#end().catch((error) => this.fail(error));
  }

  async #end(): Promise<void> {
    if (this.#judge !== undefined) return this.#judged(this.#judge.onEnd());
    await heavyWork.turn(this.#collector?.bytes ?? 0);
    if (this.#answered) return;
    if (this.#live === undefined) {
      const whole = await this.#collector!.finish();
      return this.#answered ? undefined : this.#answerWhole(whole);
    }
    const rest = await this.#live.end();
    if (this.#live.saidNothing) return this.fail(BROKEN_OFF);
    await this.#flow(rest);
    if (this.#answered) return;
    await this.#finishLive();
    if (this.#answered) return;
    this.#answered = true;
    this.#releaseHead();
    for (const bytes of this.#waiting) this.outlet.body(bytes);
    this.outlet.end();
  }

  /** Called when Envoy ends a request before its answer is complete. Never rejects; resolves once its log is appended. */
  async onClose(side: DisconnectedSide): Promise<void> {
    if (this.#answered || this.exchange.ended) return this.#finishing?.catch(() => {});
    this.#answered = true;
    try {
      await this.#endLeft(side);
    } catch (error) {
      await this.#finishAnyway(error);
    }
  }

  async #endLeft(side: DisconnectedSide): Promise<void> {
    const { exchange } = this;
    const { code, message, note } = DISCONNECTS[side];
    const byModel = side === 'model';
    exchange.cancel();
    this.#live?.closeGuard(note);
    this.#closeAttempt(byModel ? 'server_error' : 'aborted', message);
    await this.#finish({
      status: byModel ? 'error' : 'aborted',
      // Envoy tells the client of a provider that broke off where nothing was released.
      httpStatus: this.#headReleased ? this.#head!.status : byModel ? 502 : 499,
      ...(await emittedText(this.#live, exchange, this.services)),
      error: { code, message },
    });
  }

  /** The milliseconds until `onTimeout` must be called. */
  timeLeft(): number {
    const { endpoint } = this.exchange;
    const now = this.services.clock.monotonic();
    if (this.#answered || endpoint === undefined) return Number.POSITIVE_INFINITY;
    if (this.exchange.ended) {
      return this.#headReleased ? this.#lastEventAt + AFTER_END_MS - now : Number.POSITIVE_INFINITY;
    }
    const keepAlive = this.#keepAlive.timeLeft();
    if (this.#headReleased && this.#live !== undefined) {
      const idle = Math.min(this.#lastEventAt + endpoint.stream_idle_timeout_ms - now, keepAlive);
      const waits = this.exchange.waitsForText && this.exchange.currentAttempt?.textCame !== true;
      return waits ? Math.min(idle, tryTimeLeft(this.exchange, now)) : idle;
    }
    const total = this.exchange.startedMonotonic + endpoint.total_timeout_ms - now;
    // Until an answer arrives here, the part that makes the attempts also enforces their timeouts.
    const triesGoOn = this.exchange.chain.route !== 'single' && this.#head === undefined;
    const deadline = triesGoOn ? total : Math.min(total, tryTimeLeft(this.exchange, now));
    return Math.min(deadline, this.#quietLeft(), keepAlive);
  }

  /** The milliseconds until a held stream without new data is examined. */
  #quietLeft(): number {
    return this.#judge?.quietLeft() ?? this.#openEnd?.timeLeft() ?? Number.POSITIVE_INFINITY;
  }

  async #onQuiet(): Promise<void> {
    if (this.#judge !== undefined) return this.#judged(this.#judge.onQuiet());
    if ((await this.#openEnd!.look()) && !this.#answered) await this.#end();
  }

  /** A timer that fires while an event is handled is reported afterwards, and may no longer be due. */
  async onTimeout(): Promise<void> {
    if (this.#answered || this.timeLeft() > TIMER_EARLY_MS) return;
    if (this.exchange.ended) {
      this.#answered = true;
      return this.outlet.end();
    }
    if (this.#keepAlive.timeLeft() <= TIMER_EARLY_MS) {
      // From now on, a failure of the held answer is reported as an error event.
      this.#releaseHead();
      return this.#keepAlive.sendSign();
    }
    if (this.#quietLeft() <= TIMER_EARLY_MS) return this.#onQuiet().catch((error) => this.fail(error));
    const attempt = this.exchange.currentAttempt;
    if (attempt !== undefined) closeUnanswered(attempt, 'timeout', this.services);
    await this.fail(unansweredError('timeout'));
  }

  /**
   * Ends the exchange with an error of ours: a reply, or an error event where the headers were already sent. Never
   * rejects.
   */
  async fail(error: unknown): Promise<void> {
    if (this.#answered) return;
    this.#answered = true;
    const unreadable = error instanceof UnreadableAnswer;
    const known = unreadable ? new SluiceError('upstream_unavailable', error.message) : toSluiceError(error);
    try {
      await this.#endFailed(known);
    } catch (cause) {
      await this.#finishAnyway(cause);
      this.#answerAnyway(cause);
    }
  }

  async #endFailed(sluiceError: SluiceError): Promise<void> {
    const { exchange } = this;
    exchange.cancel();
    if (sluiceError.code === 'internal_error') {
      this.services.logger.error(
        { err: sluiceError.cause ?? sluiceError, log_id: exchange.id },
        'exchange failed',
      );
    }
    if (this.#head !== undefined) this.#closeAttempt(attemptStatusOf(sluiceError), sluiceError.logMessage);
    if (this.#headReleased) return this.#failReleased(sluiceError);
    this.#live?.closeGuard(sluiceError.message);
    const reply = errorReply(exchange.dialect, sluiceError, exchange.id);
    Object.assign(reply.headers, attemptHeaders(this.exchange, false));
    const shown = exchange.released.rejected ?? (await rejectedStream(this.#live, sluiceError));
    try {
      await this.#finish({
        status: statusOfError(sluiceError),
        httpStatus: reply.status,
        response: shown?.masked ?? loggedBody(reply, sluiceError),
        responseAsCame: shown?.asCame,
        clientResponse: shown === undefined ? undefined : loggedBody(reply, sluiceError),
        error: { code: sluiceError.clientCode, message: sluiceError.logMessage },
      });
      this.outlet.reply(reply);
    } catch (noRoom) {
      this.outlet.reply(errorReply(exchange.dialect, noRoom, exchange.id));
    }
  }

  async #failReleased(error: SluiceError): Promise<void> {
    this.#live?.closeGuard(error.message);
    await this.#finish({
      status: statusOfError(error),
      httpStatus: this.#head!.status,
      ...(await emittedText(this.#live, this.exchange, this.services)),
      error: { code: error.clientCode, message: error.logMessage },
    }).catch((err) => this.#reportLostLog(err));
    const frames = this.exchange.dialect.writeStreamError(error, this.exchange.id);
    this.outlet.end(Buffer.from(frames.map(formatFrame).join('')));
  }

  /** Ends the exchange after an error that happened while another one was handled. It is still logged. */
  async #finishAnyway(cause: unknown): Promise<void> {
    const { exchange, services } = this;
    services.logger.error({ err: cause, log_id: exchange.id }, 'an exchange failed while it was ended');
    const error = toSluiceError(cause);
    const httpStatus = this.#headReleased ? this.#head!.status : error.status;
    const logged = { code: error.clientCode, message: error.logMessage };
    const ending: Ending = { status: 'error', httpStatus, response: null, error: logged };
    await this.#finish(ending).catch((err) => this.#reportLostLog(err));
  }

  #reportLostLog(err: unknown): void {
    this.services.logger.error({ err, log_id: this.exchange.id }, 'a log was lost');
  }

  #answerAnyway(cause: unknown): void {
    try {
      if (this.#headReleased) this.outlet.end();
      else this.outlet.reply(errorReply(this.exchange.dialect, cause, this.exchange.id));
    } catch (err) {
      this.services.logger.error(
        { err, log_id: this.exchange.id },
        'an error could not be sent to the client',
      );
    }
  }

  /** Waits for a step of the judge of the only model. Once the judge has decided, its result is the client's answer. */
  async #judged(step: Promise<void>): Promise<void> {
    await step;
    const { outcome } = this.exchange;
    if (outcome !== undefined && !this.#answered) await this.#answerKnown(outcome);
  }

  #answerKnown(outcome: ExchangeOutcome): Promise<void> {
    return outcome.kind === 'failure' ? this.fail(outcome.error) : this.#answerWhole(outcome.whole);
  }

  async #answerWhole(whole: WholeAnswer): Promise<void> {
    const { exchange, services } = this;
    const attempt = exchange.currentAttempt!;
    exchange.released.firstTokenMs ??= services.clock.monotonic() - exchange.startedMonotonic;
    if (exchange.outcome === undefined) closeWholeTry(exchange, attempt, whole, services);
    const changed = exchange.outcome?.kind === 'answer' ? exchange.outcome.changed : undefined;
    try {
      const composed = await composeWhole(exchange, whole, changed, services);
      if (this.#answered) return;
      await this.#finish(composed.ending);
      if (this.#answered) return;
      this.#answered = true;
      if (!this.#headReleased) writeHead(this.outlet, exchange, whole.head, composed.headers);
      this.outlet.end(composed.body);
    } catch (error) {
      await this.fail(error);
    }
  }

  async #flow(bytes: Buffer): Promise<void> {
    const live = this.#live!;
    if (this.#answered) return;
    if (!live.saidNothing) this.exchange.currentAttempt!.textCame = true;
    // Comments count too, because a provider that sends them is at work.
    this.#lastEventAt = this.services.clock.monotonic();
    if (live.complete && live.saidNothing) return this.fail(SAYS_NOTHING);
    if (live.complete && live.rejection === undefined && !this.exchange.ended) {
      // For the client, the stream's own last event is the end, so the record is written first.
      await this.#finishLive();
      if (this.#answered) return;
    }
    // A stream that a guard rejected before any of its text was sent ends with a plain error reply.
    const isFirst = !this.#headReleased && !live.textWent;
    if (live.rejection !== undefined && isFirst) return this.fail(live.rejection);
    if (bytes.length > 0) {
      // Until any text was sent, a guard may still reject the answer and so change its status.
      if (live.undecided && !this.#headReleased) {
        this.#waiting.push(bytes);
      } else {
        this.#releaseHead();
        for (const held of this.#waiting.splice(0)) this.#keepAlive.send(held);
        this.#keepAlive.send(bytes);
      }
    }
    if (live.rejection !== undefined) return this.fail(live.rejection);
    this.#keepAlive.onComments(live.comments, bytes.length === 0 && this.#headReleased);
  }

  async #finishLive(): Promise<void> {
    if (this.exchange.ended) return;
    const live = this.#live!;
    live.closeGuard();
    const ending = await live.ending(this.#head!.status);
    this.#closeAttempt(ending.status === 'success' ? 'success' : 'server_error', ending.error?.message);
    try {
      await this.#finish(ending);
    } catch (noRoom) {
      await this.fail(noRoom);
    }
  }

  #releaseHead(): void {
    if (this.#headReleased) return;
    this.#headReleased = true;
    this.exchange.currentAttempt?.endHold?.();
    if (!this.exchange.ended) this.exchange.move('releasing');
    writeHead(this.outlet, this.exchange, this.#head!, {
      'content-type': this.#head!.headers['content-type']!,
    });
  }

  #closeAttempt(status: 'success' | 'server_error' | 'timeout' | 'aborted', message?: string): void {
    const attempt = this.exchange.currentAttempt;
    if (attempt === undefined || attempt.closed) return;
    const error = message === undefined || status === 'success' ? null : { message };
    closeAttempt(attempt, { status, error, ...this.#live?.usage() }, this.services);
  }

  #finish(ending: Ending): Promise<void> {
    // The answer is kept before requests that wait for the same answer continue.
    if (this.#finishing === undefined) this.#kept?.keep(ending, this.#head);
    const finishing = this.finish(this.exchange, ending, this.services);
    // Only the first call has an effect.
    this.#finishing ??= finishing;
    return finishing;
  }
}
