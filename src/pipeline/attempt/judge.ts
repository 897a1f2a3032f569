import type { StreamEvent } from '../../core/answer.js';
import { SluiceError } from '../../core/errors.js';
import type { MaybePromise } from '../../core/pacing/maybe-promise.js';
import { recover, settle } from '../../core/pacing/maybe-promise.js';
import { runSteps } from '../../core/pacing/steps.js';
import type { FallbackReason } from '../../core/settings.js';
import { BROKEN_OFF, SAYS_NOTHING } from '../../dialects/translate/error-types.js';
import { judgeAnswer } from '../../validation/judge-answer.js';
import type { Failure } from '../../validation/validation.js';
import { isForeign } from '../exchange/answer-form.js';
import type { Attempt } from '../exchange/attempt.js';
import { AnswerTooLarge, createContentDecoder, UnreadableAnswer } from '../exchange/content-decoder.js';
import type { Exchange } from '../exchange/exchange.js';
import type { AnswerHead } from '../exchange/http.js';
import type { Services } from '../exchange/ports.js';
import type { WholeAnswer } from '../exchange/whole-answer.js';
import { closeWholeTry, errorInSuccess, loggedError } from './attempt-outcome.js';
import { noteHead, reasonOfStatus, UNKNOWN_SHAPE } from './failures.js';
import { HeldStream } from './held-stream.js';
import {
  explain,
  hideInFailure,
  invalidOutputError,
  loggedOutput,
  releasesInvalid,
  shownFailure,
} from './invalid-output.js';
import { toLogUsage } from './log-usage.js';
import { closeAttempt } from './prepare-attempt.js';
import { loggedMessage, STREAM_ERROR } from './provider-words.js';
import { AnswerCollector, answerKind, isSuccess } from './read/answer-collector.js';
import { isAwaited } from './read/first-text.js';
import { OpenEnd } from './read/open-end.js';
import { hideSecrets } from './read/provider-secrets.js';
import { restored } from './restored-text.js';

/** Whether an event is more than the start, the usage or the end of a part. */
function says({ type }: StreamEvent): boolean {
  return type !== 'start' && type !== 'usage' && type !== 'part-end';
}

/** Where a judged answer goes: back to Envoy's router, which sees it before the client. */
export interface JudgeOutlet {
  /** Passes the answer on unchanged. Its bytes follow. */
  pass(bytes: Buffer): void;
  end(): void;
  /** Reports that the complete answer is known. The gateway writes it from the exchange, so no bytes follow. */
  answer(status: number): void;
  /** Makes the router try the next model. */
  retry(reason: FallbackReason): void;
}

/**
 * The outlet for the only model of a chain: nothing is passed on before the judge has decided, and there is no next
 * model.
 */
export const ONLY_MODEL: JudgeOutlet = { pass: () => {}, end: () => {}, answer: () => {}, retry: () => {} };

/**
 * Judges one attempt: accept it, try the next model, or return it as the last. An answer is held until that is
 * decided: a stream without a schema until its first event, everything else until it is complete.
 */
export class Judge {
  #head!: AnswerHead;
  #collector?: AnswerCollector;
  #openEnd?: OpenEnd;
  /** A stream without a schema, until its first event with content. */
  #held?: HeldStream;
  #unreadable = false;
  #passing = false;

  constructor(
    private readonly exchange: Exchange,
    private readonly attempt: Attempt,
    private readonly services: Services,
    private readonly outlet: JudgeOutlet,
  ) {}

  onHead(head: AnswerHead): void {
    this.#head = head;
    this.attempt.answered = true;
    noteHead(this.attempt, head, this.services);
    this.attempt.endHold = this.exchange.trace.work('hold answer', this.attempt.number);
    const limit = this.services.limits().response_body_bytes;
    const encoding = createContentDecoder(head.headers['content-encoding'], limit);
    const streams = isSuccess(head.status) && answerKind(head) === 'stream';
    if (streams && this.exchange.plan?.contract === undefined && encoding !== undefined) {
      this.#held = new HeldStream({
        decoder: this.attempt.dialect.createDecoder(),
        unpack: (chunk) => encoding.write(chunk),
        limit,
        decides: (events) => this.#decidesBy(events),
      });
      return;
    }
    const { dialect, secrets } = this.attempt;
    this.#collector = new AnswerCollector(dialect, head, limit, this.exchange.bodies, secrets);
    this.#openEnd = new OpenEnd(this.#collector, dialect, this.services.clock);
  }

  /** Takes a piece of the answer's body. Makes no promise where nothing must be waited for. */
  onChunk(chunk: Buffer): MaybePromise<void> {
    if (this.#passing) return this.outlet.pass(chunk);
    if (this.#unreadable) return;
    return recover(
      () => this.#take(chunk),
      (error) => {
        if (!(error instanceof UnreadableAnswer)) throw error;
        this.#judgeUnreadable(error);
      },
    );
  }

  #take(chunk: Buffer): MaybePromise<void> {
    if (this.#held !== undefined) {
      this.exchange.bodies.addAnswer(chunk.length);
      return this.#held.push(chunk);
    }
    return settle(this.#collector!.push(chunk), () => this.#openEnd?.note());
  }

  /** The milliseconds until `onQuiet` must be called. */
  quietLeft(): number {
    const open = this.#unreadable || this.#openEnd === undefined;
    return open ? Number.POSITIVE_INFINITY : this.#openEnd!.timeLeft();
  }

  /** Called when nothing has arrived for a while. */
  async onQuiet(): Promise<void> {
    if (!this.#unreadable && (await this.#openEnd?.look())) await this.onEnd();
  }

  async onEnd(): Promise<void> {
    if (this.#unreadable) return;
    if (this.#held !== undefined && !this.#passing) {
      // Not a single event has arrived.
      if (this.exchange.canFallBack('server_error')) return this.#broken(BROKEN_OFF.message);
      this.#release();
    }
    if (this.#passing) return this.outlet.end();
    const whole = await this.#collector!.finish();
    if (!isSuccess(this.#head.status)) return this.#judgeError(whole);
    if (this.exchange.plan?.contract === undefined) return this.#accept(whole);
    return this.#judgeOutput(whole);
  }

  /** Decides by the first event with content. Returns true once the decision is made. */
  #decidesBy(events: readonly StreamEvent[]): boolean {
    const first = events.find(says);
    if (first === undefined) return false;
    if (this.exchange.canFallBack('server_error')) {
      if (first.type === 'error') {
        this.#providerError(first.message);
        return true;
      }
      if (first.type === 'end' || (first.type === 'finish' && first.reason === 'stop')) {
        this.#broken(SAYS_NOTHING.message);
        return true;
      }
    }
    if (this.exchange.waitsForText && !events.some(isAwaited)) return false;
    this.attempt.textCame = true;
    this.#release();
    return true;
  }

  #release(): void {
    this.#passing = true;
    this.attempt.endHold?.();
    this.outlet.pass(this.#held!.bytes());
    this.exchange.bodies.dropAnswer();
  }

  /** Handles an answer that cannot be read. The decision is made at once, because the rest of the answer may never end. */
  #judgeUnreadable(error: UnreadableAnswer): void {
    this.#unreadable = true;
    const output = isSuccess(this.#head.status) && this.exchange.plan?.contract !== undefined;
    if (output && error instanceof AnswerTooLarge) this.#invalid({ path: '', message: error.message });
    else this.#broken(error.message);
  }

  #judgeError(whole: WholeAnswer): void {
    const reason = reasonOfStatus(this.#head.status);
    const error = { message: loggedError(this.exchange, this.attempt, whole) };
    closeAttempt(this.attempt, { status: reason ?? 'client_error', error }, this.services);
    this.exchange.outcome = { kind: 'answer', whole };
    if (reason !== undefined && this.exchange.canFallBack(reason)) this.outlet.retry(reason);
    else this.outlet.answer(this.#head.status);
  }

  async #judgeOutput(whole: WholeAnswer): Promise<void> {
    // A stream that ends regularly without content is an empty output and not a broken stream.
    const hasEnd = whole.kind !== 'stream' || whole.complete || whole.ended;
    if (whole.kind === 'stream' && (whole.errorMessage !== undefined || !hasEnd)) {
      const { errorMessage } = whole;
      return errorMessage === undefined
        ? this.#broken(BROKEN_OFF.message)
        : this.#providerError(errorMessage);
    }
    const answer = whole.kind === 'bytes' ? undefined : whole.answer;
    const { dialect } = this.attempt;
    if (answer === undefined) {
      const error = whole.kind === 'json' ? dialect.readError(whole.document.value) : undefined;
      if (error !== undefined) return this.#providerError(error.message);
      return this.#invalid({ path: '', message: 'the format of the answer is not known' });
    }
    if (dialect.readParts !== undefined) await runSteps(dialect.readParts(answer));
    Object.assign(this.attempt.record, toLogUsage(answer.usage));
    const { unwrap_fences: unwrapFences } = this.exchange.endpoint!;
    const endCheck = this.exchange.trace.work('validate output', this.attempt.number);
    const { exchange } = this;
    const asSeen = (text: string, kind: 'text' | 'tool-arguments') => restored(exchange, text, kind);
    const judgement = await judgeAnswer(answer, exchange.plan!.contract!, { unwrapFences, asSeen });
    endCheck(judgement.valid ? 'valid' : 'invalid');
    // The attempt has timed out meanwhile, and the next one is running.
    if (this.attempt.closed) return;
    if (judgement.valid) {
      closeAttempt(this.attempt, { status: 'success' }, this.services);
      this.exchange.outcome = { kind: 'answer', whole, changed: judgement.answer };
      return this.outlet.answer(this.#head.status);
    }
    this.#invalid(hideInFailure(exchange, judgement), whole);
  }

  #accept(whole: WholeAnswer): void {
    const answer = whole.kind === 'bytes' ? undefined : whole.answer;
    const isUseless = isForeign(this.exchange, this.attempt) || this.exchange.canFallBack('server_error');
    if (answer === undefined && isUseless) {
      const words = errorInSuccess(this.exchange, this.attempt, whole) ?? UNKNOWN_SHAPE;
      this.#broken(words, loggedError(this.exchange, this.attempt, whole));
      return;
    }
    closeWholeTry(this.exchange, this.attempt, whole, this.services);
    this.exchange.outcome = { kind: 'answer', whole };
    this.outlet.answer(this.#head.status);
  }

  /** Handles an invalid output. `whole` is the answer, where it could be released although it is invalid. */
  #invalid(failure: Failure, whole?: WholeAnswer): void {
    const { exchange, attempt } = this;
    explain(exchange, failure);
    const shown = shownFailure(exchange, failure);
    const { path, message } = shown;
    const problem = { message, path, ...loggedOutput(exchange, failure) };
    closeAttempt(attempt, { status: 'invalid_output', error: problem }, this.services);
    const error = invalidOutputError(exchange, attempt, shown);
    exchange.outcome = { kind: 'failure', error };
    if (exchange.canFallBack('invalid_output')) {
      this.outlet.retry('invalid_output');
    } else if (whole !== undefined && releasesInvalid(exchange)) {
      exchange.released.invalid = error;
      exchange.outcome = { kind: 'answer', whole };
      this.outlet.answer(this.#head.status);
    } else {
      this.outlet.answer(error.status);
    }
  }

  /** Handles an error event of the provider, with its message. */
  #providerError(words: string): void {
    const message = hideSecrets(words, this.attempt.secrets);
    this.#broken(message, loggedMessage(this.exchange, message, STREAM_ERROR));
  }

  #broken(message: string, logMessage = message): void {
    closeAttempt(this.attempt, { status: 'server_error', error: { message: logMessage } }, this.services);
    const error = new SluiceError('upstream_unavailable', message, { logMessage });
    this.exchange.outcome = { kind: 'failure', error };
    if (this.exchange.canFallBack('server_error')) this.outlet.retry('server_error');
    else this.outlet.answer(502);
  }
}
