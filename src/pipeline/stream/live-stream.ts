import type { StreamEvent } from '../../core/answer.js';
import { SluiceError } from '../../core/errors.js';
import type { LogUsage } from '../../core/log-record.js';
import type { EncoderContext, SseFrame, StreamDecoder, StreamEncoder } from '../../dialects/dialect.js';
import { BROKEN_OFF } from '../../dialects/helpers/error-types.js';
import type { SseParser } from '../../dialects/wire/sse.js';
import { createSseParser, formatFrame } from '../../dialects/wire/sse.js';
import { AnswerBuilder } from '../answer/answer-builder.js';
import { answerContext, plainForm } from '../answer/answer-form.js';
import type { ContentDecoder } from '../answer/content-decoder.js';
import { createContentDecoder, UnreadableAnswer } from '../answer/content-decoder.js';
import { loggedMessage, STREAM_ERROR } from '../attempt/provider-words.js';
import { toLogUsage } from '../end/log-usage.js';
import type { Ending } from '../end/record.js';
import type { Attempt, Exchange } from '../exchange.js';
import type { AnswerHead } from '../http.js';
import type { Services } from '../ports.js';
import { hostContext } from '../request/plugin-context.js';
import type { GuardedStep } from './guarded-stream.js';
import { GuardedStream } from './guarded-stream.js';
import { RepeatedFrames } from './repeated-frames.js';
import { openRestorer } from './restore-stream.js';

/**
 * A stream that flows to the client as it comes: each frame is decoded once for the log, guarded where a
 * plugin works on a window, and goes on in the client's dialect. What it gives out is for the caller to send.
 */
export class LiveStream {
  readonly #unpacker: ContentDecoder;
  readonly #parser: SseParser = createSseParser();
  readonly #decoder: StreamDecoder;
  readonly #context: EncoderContext;
  readonly #guard?: GuardedStream;
  /** Reads anew what a guard let go, since its text may have changed. */
  readonly #guardedDecoder?: StreamDecoder;
  /** Puts back what stands for the client's values, behind all guards. */
  readonly #restorer?: GuardedStream;
  readonly #restoredDecoder?: StreamDecoder;
  /** For a provider of another dialect. */
  readonly #translation?: StreamEncoder;
  /** What came, and what went on; one and the same where no guard may change it. */
  readonly #came: AnswerBuilder;
  readonly #went: AnswerBuilder;
  /** No frame has had our field yet. */
  #first = true;
  readonly #repeated = new RepeatedFrames();
  /** The last frame that was looked at went on as it came. */
  #goesOn = false;
  /** As `#repeated`, of what a guard let go. */
  readonly #repeatedAgain = new RepeatedFrames();
  /** Events that have come. */
  events = 0;
  /** What a guard rejected the stream with. */
  rejection?: SluiceError;

  constructor(
    private readonly exchange: Exchange,
    attempt: Attempt,
    head: AnswerHead,
    private readonly services: Services,
  ) {
    const encoding = head.headers['content-encoding'];
    const unpacker = createContentDecoder(encoding, services.limits().response_body_bytes, 'chunk');
    if (unpacker === undefined) {
      throw new SluiceError(
        'upstream_unavailable',
        `The model's stream is in an unknown encoding: ${encoding}.`,
      );
    }
    this.#unpacker = unpacker;
    this.#decoder = attempt.dialect.createDecoder();
    this.#context = answerContext(exchange, attempt);
    if (services.plugins.streamNeed(exchange.plugins) === 'window') {
      const guard = services.plugins.openStreamGuard(exchange.plugins, hostContext(exchange));
      this.#guard = new GuardedStream(attempt.dialect, guard);
      this.#guardedDecoder = attempt.dialect.createDecoder();
    }
    if (exchange.standIns.size > 0 || services.plugins.mayRestore(exchange.plugins)) {
      this.#restorer = openRestorer(exchange, attempt.dialect);
      this.#restoredDecoder = attempt.dialect.createDecoder();
    }
    const { response_body_bytes: most } = services.limits();
    this.#came = new AnswerBuilder(most);
    this.#went = this.#guard === undefined ? this.#came : new AnswerBuilder(most);
    if (attempt.dialect !== exchange.dialect) {
      this.#translation = exchange.dialect.createEncoder(this.#context);
    }
  }

  /** Text was let go to the client. */
  get textWent(): boolean {
    return this.#went.length > 0;
  }

  /** Whether the status can still be told: a guard looks, and has let no text go yet. */
  get undecided(): boolean {
    return this.#guard !== undefined && !this.textWent && !this.complete && this.rejection === undefined;
  }

  /** The stream's own last event was seen: what is given out from then on is its end. */
  get complete(): boolean {
    return this.#came.complete;
  }

  /** The bytes that may go to the client for this chunk; often none while a guard looks. */
  async push(chunk: Buffer): Promise<Buffer> {
    const unpacked = this.#unpacker.write(chunk);
    const frames = this.#parser.push(unpacked instanceof Promise ? await unpacked : unpacked);
    if (this.#parser.overflowed) throw new UnreadableAnswer('one of its events is too long');
    let text = '';
    for (const frame of frames) {
      const forwarded = this.#forward(frame);
      text += typeof forwarded === 'string' ? forwarded : await forwarded;
      if (this.rejection !== undefined) {
        text += await this.#restoredEnd();
        break;
      }
      if (this.#guard !== undefined || this.#restorer !== undefined) this.#checkLength();
    }
    if (this.#guard?.hasUnseen && this.rejection === undefined) {
      text += await this.#writeGuarded(await this.#guard.rest());
      if (this.rejection !== undefined) text += await this.#restoredEnd();
    }
    return Buffer.from(text);
  }

  /** What was changed is kept, so that no later event says again what was there before. */
  #checkLength(): void {
    const { response_body_bytes: limit } = this.services.limits();
    if (this.#came.length > limit) throw new UnreadableAnswer(`its text is over ${limit} bytes`);
  }

  /** What is left when the provider has ended its stream. */
  async end(): Promise<Buffer> {
    let text = '';
    for (const frame of this.#parser.end()) text += await this.#forward(frame);
    if (this.#guard !== undefined && this.rejection === undefined) {
      text += await this.#writeGuarded(await this.#guard.end());
    }
    text += await this.#restoredEnd();
    if (this.rejection === undefined) text += this.#closingFrames().map(formatFrame).join('');
    return Buffer.from(text);
  }

  /** A stream that ended in the midst of its answer says so: not every client would notice. */
  #closingFrames(): SseFrame[] {
    if (this.#translation !== undefined) return this.#translation.finish();
    if (this.#finished || this.#came.errorMessage !== undefined) return [];
    return this.exchange.dialect.writeStreamError(BROKEN_OFF, this.exchange.id);
  }

  get #finished(): boolean {
    return this.#came.complete || this.#came.finished;
  }

  /** How the exchange ends with this stream. */
  ending(httpStatus: number): Ending {
    const { errorMessage } = this.#came;
    const broken = this.#finished ? undefined : BROKEN_OFF.message;
    const failed =
      errorMessage === undefined ? broken : loggedMessage(this.exchange, errorMessage, STREAM_ERROR);
    return {
      status: failed === undefined ? 'success' : 'error',
      httpStatus,
      ...this.answers(),
      error: failed === undefined ? undefined : { code: 'upstream_unavailable', message: failed },
    };
  }

  /** What went to the client so far, and what had come. */
  answers(): Pick<Ending, 'response' | 'responseAsCame' | 'answer' | 'outputChunks'> {
    const answer = this.#went.build();
    if (this.#went.cut) {
      const told = 'the answer is longer than its log may hold, and is cut there';
      this.services.logger.warn({ log_id: this.exchange.id }, told);
    }
    return {
      response: plainForm(this.exchange, answer),
      responseAsCame: this.#guard?.changed ? plainForm(this.exchange, this.#came.build()) : undefined,
      answer,
      outputChunks: this.#came.deltas,
    };
  }

  usage(): LogUsage | null {
    return toLogUsage(this.#came.usage);
  }

  /** Ends the guard and notes what its plugins did; `interrupted` says why the stream ended early, where it did. */
  closeGuard(interrupted?: string): void {
    if (this.#guard !== undefined) this.exchange.pluginRuns.push(...this.#guard.finish(interrupted).runs);
  }

  /** At once where no guard looks. */
  #forward(frame: SseFrame): string | Promise<string> {
    this.events++;
    const repeated = this.#repeated.read(frame);
    const events = repeated ?? this.#decoder.decode(frame);
    if (repeated === undefined) this.#repeated.learn(frame, events);
    for (const event of events) {
      this.#came.add(event);
      if (event.type === 'delta' && this.exchange.firstTokenMs === undefined) {
        this.exchange.firstTokenMs = this.services.clock.monotonic() - this.exchange.startedMonotonic;
      }
    }
    if (this.#guard !== undefined) {
      if (repeated !== undefined && this.#guard.collect(frame, repeated[0])) return '';
      return this.#guard.push(frame, events).then((step) => this.#writeGuarded(step));
    }
    if (this.#restorer !== undefined) return this.#restore(frame, events);
    return this.#write(frame, events, repeated !== undefined);
  }

  async #writeGuarded(step: GuardedStep): Promise<string> {
    this.rejection = step.rejection;
    let text = '';
    for (const frame of step.frames) {
      const repeated = this.#repeatedAgain.read(frame);
      const events = repeated ?? this.#guardedDecoder!.decode(frame);
      if (repeated === undefined) this.#repeatedAgain.learn(frame, events);
      for (const event of events) this.#went.add(event);
      text +=
        this.#restorer === undefined
          ? this.#write(frame, events, repeated !== undefined)
          : await this.#restore(frame, events);
    }
    return text;
  }

  async #restore(frame: SseFrame, events: readonly StreamEvent[]): Promise<string> {
    return this.#writeRestored(await this.#restorer!.push(frame, events));
  }

  async #restoredEnd(): Promise<string> {
    return this.#restorer === undefined ? '' : this.#writeRestored(await this.#restorer.end());
  }

  #writeRestored({ frames }: GuardedStep): string {
    return frames.map((frame) => this.#write(frame, this.#restoredDecoder!.decode(frame))).join('');
  }

  /** The frame in the client's dialect, as it goes over the wire. */
  #write(frame: SseFrame, events: readonly StreamEvent[], isRepeated = false): string {
    if (this.#translation !== undefined) {
      return events
        .flatMap((event) => this.#translation!.encode(event))
        .map(formatFrame)
        .join('');
    }
    // What is written of a frame does not depend on its text.
    if (isRepeated && this.#goesOn && !this.#first) return formatFrame(frame);
    const adapted = this.exchange.dialect.adaptFrame(frame, { ...this.#context, first: this.#first });
    // A frame that was changed has our field; what came before may have had no place for it.
    this.#goesOn = adapted === frame;
    if (adapted !== undefined && adapted !== frame) this.#first = false;
    return adapted === undefined ? '' : formatFrame(adapted);
  }
}
