import { TIMER_EARLY_MS } from '../../core/clock.js';
import { heavyWork, isHeavy } from '../../core/pacing/heavy-work.js';
import type { MaybePromise } from '../../core/pacing/maybe-promise.js';
import { isLater, recover, settle } from '../../core/pacing/maybe-promise.js';
import { BROKEN_OFF, SAYS_NOTHING } from '../../dialects/translate/error-types.js';
import { closeWholeTry } from '../attempt/attempt-outcome.js';
import {
  closeUnanswered,
  noteHead,
  reasonOfLocalReply,
  tryTimeLeft,
  unansweredError,
} from '../attempt/failures.js';
import { Judge, ONLY_MODEL } from '../attempt/judge.js';
import { AnswerCollector, answerKind, isSuccess } from '../attempt/read/answer-collector.js';
import { FirstText } from '../attempt/read/first-text.js';
import { AFTER_END_MS, OpenEnd } from '../attempt/read/open-end.js';
import type { FinishExchange } from '../exchange/ending.js';
import type { Exchange } from '../exchange/exchange.js';
import type { AnswerHead, AnswerOutlet } from '../exchange/http.js';
import type { Services } from '../exchange/ports.js';
import { refusal } from '../exchange/replies.js';
import type { ExchangeOutcome, WholeAnswer } from '../exchange/whole-answer.js';
import { AnswerEnding } from './answer-ending.js';
import { ClientAnswer } from './client-answer.js';
import { composeWhole } from './compose.js';
import type { DisconnectedSide } from './disconnect.js';
import { KeptAnswer } from './kept-answer.js';
import { LiveStream } from './stream/live-stream.js';
import { writeHead } from './write-head.js';

/**
 * Brings the answer to the client. An answer that must be known as a whole is held; a stream that nothing holds flows through
 * `LiveStream`. In every case the exchange ends once, and its record is appended before the end of the answer.
 */
export class ResponseStage {
  #collector?: AnswerCollector;
  #openEnd?: OpenEnd;
  #firstText?: FirstText;
  /** Judges the answer where the chain has one model. In a longer chain, each attempt was judged before. */
  #judge?: Judge;
  #live?: LiveStream;
  #answered = false;
  #lastEventAt = 0;
  readonly #client: ClientAnswer;
  readonly #ending: AnswerEnding;

  constructor(
    private readonly exchange: Exchange,
    private readonly services: Services,
    private readonly outlet: AnswerOutlet,
    finish: FinishExchange,
  ) {
    this.#client = new ClientAnswer(exchange, services, outlet);
    this.#ending = new AnswerEnding(exchange, services, this.#client, outlet, finish);
  }

  onHead(head: AnswerHead): MaybePromise<void> {
    if (this.#answered) return;
    this.#client.onHead(head);
    const { exchange, services } = this;
    if (exchange.cache?.state === 'miss') this.#ending.kept = new KeptAnswer(exchange, services);
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
      this.#ending.live = this.#live;
    } else {
      if (isSuccess(head.status)) attempt.endHold = exchange.trace.work('hold answer', attempt.number);
      const { response_body_bytes: most } = services.limits();
      this.#collector = new AnswerCollector(attempt.dialect, head, most, exchange.bodies, attempt.secrets);
      this.#openEnd = new OpenEnd(this.#collector, attempt.dialect, services.clock);
      if (exchange.waitsForText) this.#firstText = new FirstText(attempt, head);
    }
  }

  /**
   * Takes a piece of the answer's body; `isLast` where `onEnd` follows at once. Never rejects, and makes no promise
   * where nothing must be waited for.
   */
  onChunk(chunk: Buffer, isLast = false): MaybePromise<void> {
    if (this.#answered) return;
    this.#ending.kept?.add(chunk);
    this.#firstText?.look(chunk);
    return recover(
      () => this.#take(chunk, isLast),
      (error) => this.fail(error),
    );
  }

  #take(chunk: Buffer, isLast: boolean): MaybePromise<void> {
    if (this.#live !== undefined) return settle(this.#live.push(chunk), (bytes) => this.#flow(bytes));
    if (this.#judge !== undefined) return this.#judged(this.#judge.onChunk(chunk));
    return settle(this.#collector?.push(chunk, isLast), () => this.#openEnd?.note());
  }

  onEnd(): MaybePromise<void> {
    if (!this.#answered) return this.#end().catch((error) => this.fail(error));
  }

  async #end(): Promise<void> {
    if (this.#judge !== undefined) return this.#judged(this.#judge.onEnd());
    if (isHeavy(this.#collector?.bytes ?? 0)) await heavyWork.next();
    if (this.#answered) return;
    if (this.#live === undefined) {
      const finishing = this.#collector!.finish();
      const whole = isLater(finishing) ? await finishing : finishing;
      return this.#answered ? undefined : this.#answerWhole(whole);
    }
    const rest = await this.#live.end();
    if (this.#live.saidNothing) return this.fail(BROKEN_OFF);
    await this.#flow(rest);
    if (this.#answered) return;
    await this.#finishLive();
    if (this.#answered) return;
    this.#answered = true;
    this.#client.end();
  }

  /** Called when Envoy ends a request before its answer is complete. Never rejects; resolves once its log is appended. */
  async onClose(side: DisconnectedSide): Promise<void> {
    if (this.#answered || this.exchange.ended) return this.#ending.finished();
    this.#answered = true;
    await this.#ending.left(side);
  }

  /** The milliseconds until `onTimeout` must be called. */
  timeLeft(): number {
    const { endpoint } = this.exchange;
    const now = this.services.clock.monotonic();
    if (this.#answered || endpoint === undefined) return Number.POSITIVE_INFINITY;
    if (this.exchange.ended) {
      return this.#client.headReleased ? this.#lastEventAt + AFTER_END_MS - now : Number.POSITIVE_INFINITY;
    }
    const keepAlive = this.#client.keepAlive.timeLeft();
    if (this.#client.headReleased && this.#live !== undefined) {
      const idle = Math.min(this.#lastEventAt + endpoint.stream_idle_timeout_ms - now, keepAlive);
      const waits = this.exchange.waitsForText && this.exchange.currentAttempt?.textCame !== true;
      return waits ? Math.min(idle, tryTimeLeft(this.exchange, now)) : idle;
    }
    const total = this.exchange.startedMonotonic + endpoint.total_timeout_ms - now;
    // Until an answer arrives here, the part that makes the attempts also enforces their timeouts.
    const triesGoOn = this.exchange.chain.route !== 'single' && this.#client.head === undefined;
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
    if (this.#client.keepAlive.timeLeft() <= TIMER_EARLY_MS) {
      // From now on, a failure of the held answer is reported as an error event.
      this.#client.releaseHead();
      return this.#client.keepAlive.sendSign();
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
    await this.#ending.failed(error);
  }

  /** Waits for a step of the judge of the only model. Once the judge has decided, its result is the client's answer. */
  #judged(step: MaybePromise<void>): MaybePromise<void> {
    return settle(step, () => {
      const { outcome } = this.exchange;
      if (outcome !== undefined && !this.#answered) return this.#answerKnown(outcome);
    });
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
      await this.#ending.finish(composed.ending);
      if (this.#answered) return;
      this.#answered = true;
      if (!this.#client.headReleased) writeHead(this.outlet, exchange, whole.head, composed.headers);
      this.outlet.end(composed.body);
    } catch (error) {
      await this.fail(error);
    }
  }

  /** Sends what a live stream gives for the client. */
  #flow(bytes: Buffer): MaybePromise<void> {
    const live = this.#live!;
    if (this.#answered) return;
    if (!live.saidNothing) this.exchange.currentAttempt!.textCame = true;
    // Comments count too, because a provider that sends them is at work.
    this.#lastEventAt = this.services.clock.monotonic();
    if (live.complete && live.saidNothing) return this.fail(SAYS_NOTHING);
    const isEnd = live.complete && live.rejection === undefined && !this.exchange.ended;
    // For the client, the stream's own last event is the end, so the record is written first.
    return settle(isEnd ? this.#finishLive() : undefined, () => this.#send(bytes));
  }

  #send(bytes: Buffer): MaybePromise<void> {
    if (this.#answered) return;
    const live = this.#live!;
    const client = this.#client;
    // A stream that a guard rejected before any of its text was sent ends with a plain error reply.
    const isFirst = !client.headReleased && !live.textWent;
    if (live.rejection !== undefined && isFirst) return this.fail(live.rejection);
    if (bytes.length > 0) {
      // Until any text was sent, a guard may still reject the answer and so change its status.
      if (live.undecided && !client.headReleased) client.hold(bytes);
      else client.send(bytes);
    }
    if (live.rejection !== undefined) return this.fail(live.rejection);
    client.keepAlive.onComments(live.comments, bytes.length === 0 && client.headReleased);
  }

  async #finishLive(): Promise<void> {
    if (this.exchange.ended) return;
    const live = this.#live!;
    live.closeGuard();
    const ending = await live.ending(this.#client.head!.status);
    this.#ending.closeAttempt(
      ending.status === 'success' ? 'success' : 'server_error',
      ending.error?.message,
    );
    try {
      await this.#ending.finish(ending);
    } catch (noRoom) {
      await this.fail(noRoom);
    }
  }
}
