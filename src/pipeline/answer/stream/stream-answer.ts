import type { StreamEvent } from '../../../core/answer.js';
import { settle } from '../../../core/pacing/maybe-promise.js';
import { runSteps } from '../../../core/pacing/steps.js';
import { BROKEN_OFF } from '../../../dialects/translate/error-types.js';
import { type ReportedUsage, toLogUsage } from '../../attempt/log-usage.js';
import { loggedMessage, STREAM_ERROR } from '../../attempt/provider-words.js';
import { AnswerBuilder } from '../../attempt/read/answer-builder.js';
import { plainDocument, plainForm } from '../../exchange/answer-form.js';
import { UnreadableAnswer } from '../../exchange/content-decoder.js';
import type { Ending, EndingAnswer } from '../../exchange/ending.js';
import type { Exchange } from '../../exchange/exchange.js';
import type { Services } from '../../exchange/ports.js';
import { eachEvent } from './each-event.js';
import type { FrameTaker } from './frame-taker.js';
import { restoreAnswer, restoredValue } from './restore-answer.js';

/** The most parts of an answer that its log keeps. A log of a hundred thousand calls takes hundreds of megabytes to write. */
const MOST_PARTS = 10_000;
/** The most events without text, such as the starts and ends of parts, because the decoder remembers something about each. */
const MOST_MARKS = 30_000;

/** What a stream says, for its log: the answer that arrived, and the answer that was sent. */
export class StreamAnswer {
  readonly #exchange: Exchange;
  readonly #services: Services;
  /** They are the same object where no guard can change the answer. */
  readonly #came: AnswerBuilder;
  readonly #went: AnswerBuilder;
  #marks = 0;

  constructor(exchange: Exchange, services: Services, isGuarded: boolean) {
    this.#exchange = exchange;
    this.#services = services;
    const { response_body_bytes: most } = services.limits();
    this.#came = new AnswerBuilder(most, MOST_PARTS);
    this.#went = isGuarded ? new AnswerBuilder(most, MOST_PARTS) : this.#came;
  }

  /** A station that collects the answer that arrives. */
  collectArrived(next: FrameTaker): FrameTaker {
    return collecting(this.#came, (event) => this.#noteArrived(event), next);
  }

  /** A station that collects the answer behind a guard. */
  collectSent(next: FrameTaker): FrameTaker {
    return collecting(this.#went, (event) => this.#went.add(event), next);
  }

  #noteArrived(event: StreamEvent): void {
    this.#came.add(event);
    if (event.type !== 'delta' && event.type !== 'usage') this.#marks++;
    const { released, startedMonotonic } = this.#exchange;
    if (event.type === 'delta') {
      released.firstTokenMs ??= this.#services.clock.monotonic() - startedMonotonic;
    }
  }

  /** The length of the text that arrived, in UTF-16 units. */
  get arrivedLength(): number {
    return this.#came.length;
  }

  /** Whether text was sent to the client. */
  get textWent(): boolean {
    return this.#went.length > 0;
  }

  /** Whether the provider has sent neither a part of an answer nor an error. */
  get saidNothing(): boolean {
    return this.#came.isEmpty && this.#came.errorMessage === undefined;
  }

  /** Whether the stream's own last event has arrived. */
  get complete(): boolean {
    return this.#came.complete;
  }

  /** Whether the stream ended in the middle of its answer and reported no error. */
  get brokeOff(): boolean {
    return !this.#finished && this.#came.errorMessage === undefined;
  }

  get #finished(): boolean {
    return this.#came.complete || this.#came.finished;
  }

  /** Throws `UnreadableAnswer` for a stream with too many events that have no text. */
  checkMarks(): void {
    if (this.#marks > MOST_MARKS)
      throw new UnreadableAnswer(`it has over ${MOST_MARKS} events that start or end a part`);
  }

  usage(): ReportedUsage {
    return toLogUsage(this.#came.usage);
  }

  /** How the exchange ends with this stream. `isChanged` says whether a guard has changed anything or holds it back. */
  async ending(httpStatus: number, isChanged: boolean): Promise<Ending> {
    const { errorMessage } = this.#came;
    const broken = this.#finished ? undefined : BROKEN_OFF.message;
    const failed =
      errorMessage === undefined ? broken : loggedMessage(this.#exchange, errorMessage, STREAM_ERROR);
    return {
      status: failed === undefined ? 'success' : 'error',
      httpStatus,
      ...(await this.shown(isChanged)),
      error: failed === undefined ? undefined : { code: 'upstream_unavailable', message: failed },
    };
  }

  /** What was sent to the client so far and, where `isChanged`, what had arrived. */
  async shown(isChanged: boolean): Promise<EndingAnswer> {
    const exchange = this.#exchange;
    const answer = this.#went.build();
    if (this.#went.cut) {
      const message = 'the answer is longer than a log may be, so its log is truncated';
      this.#services.logger.warn({ log_id: exchange.id }, message);
    }
    const { text, value } = await runSteps(plainDocument(exchange, answer));
    const shown = await runSteps(restoreAnswer(exchange, answer));
    const restored = shown === answer ? undefined : await restoredValue(exchange, shown);
    return {
      response: value,
      responseText: text,
      responseAsCame: isChanged ? await runSteps(plainForm(exchange, this.#came.build())) : undefined,
      ...(restored === undefined ? {} : { isHidden: true, clientResponse: restored.clientValue }),
      answer,
      outputChunks: this.#came.deltas,
    };
  }
}

/** A station that adds all that passes it to an answer. */
function collecting(answer: AnswerBuilder, note: (event: StreamEvent) => void, next: FrameTaker): FrameTaker {
  return {
    take: (frame, events) => settle(eachEvent(events, note), () => next.take(frame, events)),
    takeRun: (run) => {
      answer.addText(run.shape.delta.channel, run.text, run.frames);
      return next.takeRun(run);
    },
  };
}
