import type { Channel, StreamEvent } from '../../../core/answer.js';
import { SluiceError } from '../../../core/errors.js';
import { encodeText } from '../../../core/pacing/heavy-json.js';
import { isHeavy } from '../../../core/pacing/heavy-work.js';
import { type MaybePromise, settle } from '../../../core/pacing/maybe-promise.js';
import { Pace } from '../../../core/pacing/pace.js';
import { runSteps, type Steps } from '../../../core/pacing/steps.js';
import type { SseFrame, StreamDecoder } from '../../../dialects/dialect.js';
import { BROKEN_OFF } from '../../../dialects/translate/error-types.js';
import { createSseParser, formatFrame, type SseParser } from '../../../dialects/wire/sse.js';
import { type ReportedUsage, toLogUsage } from '../../attempt/log-usage.js';
import { loggedMessage, STREAM_ERROR } from '../../attempt/provider-words.js';
import { AnswerBuilder } from '../../attempt/read/answer-builder.js';
import { decodeFrame } from '../../attempt/read/decode-frame.js';
import { type DecodedFrame, hideInError } from '../../attempt/read/hide-secrets.js';
import {
  hideSecrets,
  REPEATS_SECRET,
  repeatsSecret,
  unmistakable,
} from '../../attempt/read/provider-secrets.js';
import { SecretWatch } from '../../attempt/read/secret-watch.js';
import { answerContext, plainDocument, plainForm } from '../../exchange/answer-form.js';
import type { Attempt } from '../../exchange/attempt.js';
import {
  type ContentDecoder,
  createContentDecoder,
  UnreadableAnswer,
} from '../../exchange/content-decoder.js';
import type { Ending, EndingAnswer } from '../../exchange/ending.js';
import type { Exchange } from '../../exchange/exchange.js';
import type { AnswerHead } from '../../exchange/http.js';
import { hostContext } from '../../exchange/plugin-context.js';
import type { Services } from '../../exchange/ports.js';
import { EVENTS_AT_ONCE, FrameWriter } from './frame-writer.js';
import { type GuardedStep, GuardedStream } from './guarded-stream.js';
import { PassedFrames } from './passed-frames.js';
import { RepeatedFrames } from './repeated/repeated-frames.js';
import { RepeatedRun } from './repeated/repeated-run.js';
import { restoreAnswer, restoredValue } from './restore-answer.js';
import { openRestorer } from './restore-stream.js';

/** The bytes that are parsed in one step, which takes a few milliseconds. */
const BYTES_AT_ONCE = 64 * 1024;
/** The most memory of frames that wait for a guard, in bytes, and the most separate texts of a stream. */
const MOST_HELD_BYTES = 32 * 1024 * 1024;
const MOST_TEXTS = 2_000;
/** The most parts of an answer that its log keeps. A log of a hundred thousand calls takes hundreds of megabytes to write. */
const MOST_PARTS = 10_000;
/** The memory of waiting frames counts among the bodies in flight, in steps of this many bytes. */
const COUNTED_BYTES = 256 * 1024;
/** The most events without text, such as the starts and ends of parts, because the decoder remembers something about each. */
const MOST_MARKS = 30_000;

/**
 * A stream that flows to the client as it arrives: each frame is decoded once for the log, guarded where a plugin
 * works on a window, and written in the client's dialect. The caller sends the returned bytes.
 */
export class LiveStream {
  readonly #unpacker: ContentDecoder;
  readonly #parser: SseParser = createSseParser();
  readonly #decoder: StreamDecoder;
  readonly #guard?: GuardedStream;
  /** The events of frames that a guard released, whose text may have changed. */
  readonly #passed?: PassedFrames;
  /** Replaces stand-ins with the client's values, after all guards. */
  readonly #restorer?: GuardedStream;
  readonly #restoredDecoder?: StreamDecoder;
  readonly #writer: FrameWriter;
  readonly #secrets: readonly string[];
  /** The secrets that no text may repeat. */
  readonly #unmistakable: readonly string[];
  readonly #watch: SecretWatch;
  /** The answer that arrived, and the answer that was sent. They are the same object where no guard can change it. */
  readonly #came: AnswerBuilder;
  readonly #went: AnswerBuilder;
  readonly #repeated = new RepeatedFrames();
  #marks = 0;
  /** How many bytes of what waits for a guard are counted among the bodies in flight. */
  #counted = 0;
  /** The error with which a guard rejected the stream. */
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
    this.#secrets = attempt.secrets;
    this.#unmistakable = unmistakable(attempt.secrets);
    this.#watch = new SecretWatch(this.#unmistakable);
    this.#decoder = attempt.dialect.createDecoder();
    if (services.plugins.streamNeed(exchange.plugins) === 'window') {
      const guard = services.plugins.openStreamGuard(exchange.plugins, hostContext(exchange));
      this.#guard = new GuardedStream(attempt.dialect, guard);
      this.#passed = new PassedFrames(() => attempt.dialect.createDecoder());
    }
    if (exchange.standIns.size > 0 || services.plugins.mayRestore(exchange.plugins)) {
      this.#restorer = openRestorer(exchange, attempt.dialect);
      this.#restoredDecoder = attempt.dialect.createDecoder();
    }
    const { response_body_bytes: most } = services.limits();
    this.#came = new AnswerBuilder(most, MOST_PARTS);
    this.#went = this.#guard === undefined ? this.#came : new AnswerBuilder(most, MOST_PARTS);
    this.#writer = new FrameWriter(exchange.dialect, attempt.dialect, answerContext(exchange, attempt));
  }

  /** Whether text was sent to the client. */
  get textWent(): boolean {
    return this.#went.length > 0;
  }

  /** Whether the status of the answer can still change, because a guard has not released any text yet. */
  get undecided(): boolean {
    return this.#guard !== undefined && !this.textWent && !this.complete && this.rejection === undefined;
  }

  /** The number of comments that the provider has sent so far. */
  get comments(): number {
    return this.#parser.comments;
  }

  /** Whether the provider has sent neither a part of an answer nor an error. */
  get saidNothing(): boolean {
    return this.#came.isEmpty && this.#came.errorMessage === undefined;
  }

  /** Whether the stream's own last event has arrived. What is returned from then on is the end of the stream. */
  get complete(): boolean {
    return this.#came.complete;
  }

  /** Takes a chunk and returns the bytes that may be sent to the client now, which are often none while a guard checks. */
  async push(chunk: Buffer): Promise<Buffer> {
    const bytes = await this.#unpacker.write(chunk);
    // Paces all work on the chunk, which may hold thousands of frames.
    const pace = new Pace();
    let text = '';
    for (let at = 0; at < bytes.length && this.rejection === undefined; at += BYTES_AT_ONCE) {
      const piece = bytes.subarray(at, at + BYTES_AT_ONCE);
      for (const read of this.#parser.read(piece, this.#runs)) {
        const forwarded = read instanceof RepeatedRun ? this.#forwardRun(read) : this.#forward(read);
        text += typeof forwarded === 'string' ? forwarded : await forwarded;
        if (this.rejection !== undefined) {
          text += await this.#restoredEnd();
          break;
        }
        this.#checkBounds();
        const pause = pace.pause();
        if (pause !== undefined) await pause;
      }
      for (const stream of [this.#guard, this.#restorer]) stream?.copySmallParts(piece.length);
      // The piece may be part of one long line, which completes no frame.
      const pause = pace.pause();
      if (pause !== undefined) await pause;
    }
    if (this.#parser.overflowed) throw new UnreadableAnswer('one of its events is too long');
    if (this.#guard?.hasUnseen && this.rejection === undefined) {
      text += await this.#writeStep(this.#guard.rest());
      if (this.rejection !== undefined) text += await this.#restoredEnd();
    }
    return encodeText(text);
  }

  /** Changed texts are kept, so that no later event repeats the original. This limits their length. */
  #checkBounds(): void {
    if (this.#marks > MOST_MARKS)
      throw new UnreadableAnswer(`it has over ${MOST_MARKS} events that start or end a part`);
    if (this.#guard === undefined && this.#restorer === undefined) return;
    const { response_body_bytes: limit } = this.services.limits();
    if (this.#came.length > limit) throw new UnreadableAnswer(`its text is over ${limit} bytes`);
    let held = 0;
    for (const stream of [this.#guard, this.#restorer]) {
      if (stream === undefined) continue;
      held += stream.heldBytes;
      if (stream.heldBytes > MOST_HELD_BYTES)
        throw new UnreadableAnswer('too many of its events wait for a guard');
      if (stream.channelCount > MOST_TEXTS)
        throw new UnreadableAnswer(`it has over ${MOST_TEXTS} texts at one time`);
    }
    if (Math.abs(held - this.#counted) < COUNTED_BYTES) return;
    this.exchange.bodies.holdAnswer(held);
    this.#counted = held;
  }

  /** Returns the rest after the provider has ended its stream. */
  async end(): Promise<Buffer> {
    let text = '';
    for (const frame of this.#parser.end()) text += await this.#forward(frame);
    if (this.#guard !== undefined && this.rejection === undefined) {
      text += await this.#writeStep(this.#guard.end());
    }
    text += await this.#restoredEnd();
    return Buffer.from(this.rejection === undefined ? text + this.#closing() : text);
  }

  /** A stream that ended in the middle of its answer gets an error event, because not every client would notice. */
  #closing(): string {
    if (this.#writer.translates) return this.#writer.finish();
    if (this.#finished || this.#came.errorMessage !== undefined) return '';
    return this.exchange.dialect.writeStreamError(BROKEN_OFF, this.exchange.id).map(formatFrame).join('');
  }

  get #finished(): boolean {
    return this.#came.complete || this.#came.finished;
  }

  /** How the exchange ends with this stream. */
  async ending(httpStatus: number): Promise<Ending> {
    const { errorMessage } = this.#came;
    const broken = this.#finished ? undefined : BROKEN_OFF.message;
    const failed =
      errorMessage === undefined ? broken : loggedMessage(this.exchange, errorMessage, STREAM_ERROR);
    return {
      status: failed === undefined ? 'success' : 'error',
      httpStatus,
      ...(await this.answers()),
      error: failed === undefined ? undefined : { code: 'upstream_unavailable', message: failed },
    };
  }

  /** What was sent to the client so far, and what had arrived. */
  async answers(): Promise<EndingAnswer> {
    const answer = this.#went.build();
    if (this.#went.cut) {
      const message = 'the answer is longer than a log may be, so its log is truncated';
      this.services.logger.warn({ log_id: this.exchange.id }, message);
    }
    const { text, value } = await runSteps(plainDocument(this.exchange, answer));
    const shown = await runSteps(restoreAnswer(this.exchange, answer));
    const restored = shown === answer ? undefined : await restoredValue(this.exchange, shown);
    return {
      response: value,
      responseText: text,
      responseAsCame: this.#guard?.changed
        ? await runSteps(plainForm(this.exchange, this.#came.build()))
        : undefined,
      ...(restored === undefined ? {} : { isHidden: true, clientResponse: restored.clientValue }),
      answer,
      outputChunks: this.#came.deltas,
    };
  }

  usage(): ReportedUsage {
    return toLogUsage(this.#came.usage);
  }

  /** Ends the guard and records what its plugins did. `interrupted` says why the stream ended early. */
  closeGuard(interrupted?: string): void {
    if (this.#guard !== undefined) this.exchange.pluginRuns.push(...this.#guard.finish(interrupted).runs);
  }

  /** Reads repeated frames together. Frames that repeat a credential are read one by one. */
  readonly #runs = (came: string, at: number) => {
    const run = this.#repeated.readRun(came, at);
    return run === undefined || !repeatsSecret(run.wire, this.#unmistakable) ? run : undefined;
  };

  #refuseSecret(channel: Channel, text: string): void {
    if (this.#watch.sees(channel, text)) throw new UnreadableAnswer(REPEATS_SECRET);
  }

  /** Forwards a frame. Synchronous where no guard checks it. */
  #forward(read: SseFrame): MaybePromise<string> {
    const hasSecret = repeatsSecret(read.data, this.#unmistakable);
    const came = hasSecret ? { ...read, data: hideSecrets(read.data, this.#unmistakable) } : read;
    const run = this.#repeated.read(came);
    if (run !== undefined) return this.#forwardRun(run);
    if (isHeavy(came.data.length)) return this.#forwardLong(came);
    const decoded = this.#decoded(came, this.#decoder.decode(came));
    for (const event of decoded.events) this.#note(event);
    return this.#goOn(came, decoded);
  }

  async #forwardLong(came: SseFrame): Promise<string> {
    const decoded = this.#decoded(came, await runSteps(decodeFrame(this.#decoder, came)));
    await runSteps(this.#noteInSteps(decoded.events));
    return this.#goOn(came, decoded);
  }

  *#noteInSteps(events: readonly StreamEvent[]): Steps {
    for (const [index, event] of events.entries()) {
      this.#note(event);
      if (index % EVENTS_AT_ONCE === EVENTS_AT_ONCE - 1) yield;
    }
  }

  #decoded(came: SseFrame, events: StreamEvent[]): DecodedFrame {
    const decoded = hideInError({ frame: came, events }, this.#secrets);
    this.#repeated.learn(decoded.frame, decoded.events);
    return decoded;
  }

  #note(event: StreamEvent): void {
    if (event.type === 'delta') this.#refuseSecret(event.channel, event.text);
    this.#came.add(event);
    if (event.type !== 'delta' && event.type !== 'usage') this.#marks++;
    if (event.type === 'delta' && this.exchange.released.firstTokenMs === undefined) {
      this.exchange.released.firstTokenMs = this.services.clock.monotonic() - this.exchange.startedMonotonic;
    }
  }

  #goOn(came: SseFrame, { frame, events }: DecodedFrame): MaybePromise<string> {
    if (this.#guard !== undefined) {
      if (frame === came) this.#passed!.note(frame, events);
      return this.#writeStep(this.#guard.push(frame, events));
    }
    if (this.#restorer !== undefined) return this.#restore(frame, events);
    return this.#write(frame, events);
  }

  /** Writes a frame. Synchronous where it has few events, which is nearly always so. */
  #write(frame: SseFrame, events: readonly StreamEvent[]): MaybePromise<string> {
    return events.length <= EVENTS_AT_ONCE
      ? this.#writer.write(frame, events)
      : runSteps(this.#writer.writeInSteps(frame, events));
  }

  #forwardRun(run: RepeatedRun): MaybePromise<string> {
    this.#refuseSecret(run.delta.channel, run.text);
    this.#came.add(run.delta, run.frames);
    if (this.#guard !== undefined) {
      if (this.#guard.collect(run)) return '';
      return this.#writeStep(this.#guard.pushRun(run));
    }
    return this.#restorer === undefined ? this.#writer.writeRun(run) : this.#restoreRun(run);
  }

  #writeStep(step: MaybePromise<GuardedStep>): MaybePromise<string> {
    return settle(step, (done) => this.#writeGuarded(done));
  }

  #writeGuarded(step: GuardedStep): MaybePromise<string> {
    this.rejection = step.rejection;
    return this.#writePieces(step.frames);
  }

  /** Writes frames of the guard. Synchronous where no stand-ins are replaced. */
  #writePieces(pieces: GuardedStep['frames'], from = 0, before = ''): MaybePromise<string> {
    let text = before;
    for (let index = from; index < pieces.length; index++) {
      const piece = pieces[index]!;
      const written = piece instanceof RepeatedRun ? this.#writeRunAgain(piece) : this.#writeAgain(piece);
      if (typeof written !== 'string') {
        return written.then((late) => this.#writePieces(pieces, index + 1, text + late));
      }
      text += written;
    }
    return text;
  }

  /** Writes a frame that a guard released. */
  #writeAgain(frame: SseFrame): MaybePromise<string> {
    const events = this.#passed!.read(frame);
    if (events instanceof RepeatedRun) return this.#writeRunAgain(events);
    for (const event of events) this.#went.add(event);
    return this.#restorer === undefined ? this.#write(frame, events) : this.#restore(frame, events);
  }

  #writeRunAgain(run: RepeatedRun): MaybePromise<string> {
    this.#went.add(run.delta, run.frames);
    return this.#restorer === undefined ? this.#writer.writeRun(run) : this.#restoreRun(run);
  }

  async #restore(frame: SseFrame, events: readonly StreamEvent[]): Promise<string> {
    return this.#writeRestored(await this.#restorer!.push(frame, events));
  }

  async #restoreRun(run: RepeatedRun): Promise<string> {
    return this.#writeRestored(await this.#restorer!.pushRun(run));
  }

  async #restoredEnd(): Promise<string> {
    return this.#restorer === undefined ? '' : this.#writeRestored(await this.#restorer.end());
  }

  async #writeRestored({ frames }: GuardedStep): Promise<string> {
    let text = '';
    for (const piece of frames) {
      const written =
        piece instanceof RepeatedRun
          ? this.#writer.writeRun(piece)
          : this.#write(piece, this.#restoredDecoder!.decode(piece));
      text += typeof written === 'string' ? written : await written;
    }
    return text;
  }
}
