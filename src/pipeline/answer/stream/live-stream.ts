import { SluiceError } from '../../../core/errors.js';
import { encodeText } from '../../../core/pacing/heavy-json.js';
import type { MaybePromise } from '../../../core/pacing/maybe-promise.js';
import { settle } from '../../../core/pacing/maybe-promise.js';
import { nextRoundOfLoop } from '../../../core/pacing/pace.js';
import { piecesOf } from '../../../core/pacing/pieces-of.js';
import { eachInTurn, repeat } from '../../../core/pacing/repeat.js';
import { BROKEN_OFF } from '../../../dialects/translate/error-types.js';
import { formatFrame } from '../../../dialects/wire/sse.js';
import type { ReportedUsage } from '../../attempt/log-usage.js';
import { answerContext } from '../../exchange/answer-form.js';
import type { Attempt } from '../../exchange/attempt.js';
import type { ContentDecoder } from '../../exchange/content-decoder.js';
import { createContentDecoder, UnreadableAnswer } from '../../exchange/content-decoder.js';
import type { Ending, EndingAnswer } from '../../exchange/ending.js';
import type { Exchange } from '../../exchange/exchange.js';
import type { AnswerHead } from '../../exchange/http.js';
import { hostContext } from '../../exchange/plugin-context.js';
import type { Services } from '../../exchange/ports.js';
import type { FrameTaker } from './frame-taker.js';
import { FrameWriter } from './frame-writer.js';
import { GuardedStream } from './guarded-stream.js';
import { HeldBounds } from './held-bounds.js';
import { HoldingStage } from './holding-stage.js';
import { IncomingFrames } from './incoming-frames.js';
import { openRestorer } from './restore-stream.js';
import { StreamAnswer } from './stream-answer.js';
import { WrittenFrames } from './written-frames.js';

/**
 * A stream that flows to the client as it arrives. Its frames go from station to station: they are decoded once,
 * collected for the log, guarded where a plugin works on a window, and written in the client's dialect. The caller
 * sends the returned bytes.
 */
export class LiveStream {
  readonly #exchange: Exchange;
  readonly #services: Services;
  readonly #unpacker: ContentDecoder;
  readonly #incoming: IncomingFrames;
  readonly #answer: StreamAnswer;
  readonly #guard?: HoldingStage;
  /** Replaces stand-ins with the client's values, after all guards. */
  readonly #restorer?: HoldingStage;
  readonly #writer: FrameWriter;
  readonly #written: WrittenFrames;
  readonly #held: readonly GuardedStream[];
  readonly #bounds: HeldBounds;

  constructor(exchange: Exchange, attempt: Attempt, head: AnswerHead, services: Services) {
    this.#exchange = exchange;
    this.#services = services;
    this.#unpacker = unpackerOf(head, services);
    const { dialect } = attempt;
    const createDecoder = () => dialect.createDecoder();
    const isGuarded = services.plugins.streamNeed(exchange.plugins) === 'window';
    this.#answer = new StreamAnswer(exchange, services, isGuarded);
    this.#writer = new FrameWriter(exchange.dialect, dialect, answerContext(exchange, attempt));
    this.#written = new WrittenFrames(this.#writer);
    // The stations are put together from the last one to the first.
    let next: FrameTaker = this.#written;
    if (exchange.standIns.size > 0 || services.plugins.mayRestore(exchange.plugins)) {
      this.#restorer = new HoldingStage(openRestorer(exchange, dialect), createDecoder, next);
      next = this.#restorer;
    }
    if (isGuarded) {
      const guard = services.plugins.openStreamGuard(exchange.plugins, hostContext(exchange));
      const held = new GuardedStream(dialect, guard);
      this.#guard = new HoldingStage(held, createDecoder, this.#answer.collectSent(next));
      next = this.#guard;
    }
    this.#incoming = new IncomingFrames(attempt, this.#answer.collectArrived(next));
    this.#held = [this.#guard, this.#restorer].flatMap((stage) => stage?.held ?? []);
    this.#bounds = new HeldBounds(this.#held, exchange.bodies);
  }

  /** Whether text was sent to the client. */
  get textWent(): boolean {
    return this.#answer.textWent;
  }

  /** Whether the status of the answer can still change, because a guard has not released any text yet. */
  get undecided(): boolean {
    return this.#guard !== undefined && !this.textWent && !this.complete && this.rejection === undefined;
  }

  /** The error with which a guard rejected the stream. */
  get rejection(): SluiceError | undefined {
    return this.#guard?.rejection;
  }

  /** The number of comments that the provider has sent so far. */
  get comments(): number {
    return this.#incoming.comments;
  }

  /** Whether the provider has sent neither a part of an answer nor an error. */
  get saidNothing(): boolean {
    return this.#answer.saidNothing;
  }

  /** Whether the stream's own last event has arrived. What is returned from then on is the end of the stream. */
  get complete(): boolean {
    return this.#answer.complete;
  }

  /**
   * Takes a chunk and returns the bytes that may be sent to the client now, which are often none while a guard checks.
   * Makes no promise where nothing must be waited for. Must not be called again before the result is there.
   */
  push(chunk: Buffer): MaybePromise<Buffer> {
    return settle(this.#unpacker.write(chunk), this.#pass);
  }

  readonly #pass = (bytes: Buffer): MaybePromise<Buffer> =>
    settle(eachInTurn(piecesOf(bytes), this.#passPiece, nextRoundOfLoop), this.#takeWritten);

  /** Passes the frames of a piece through all stations. */
  readonly #passPiece = (piece: Buffer): MaybePromise<void> => {
    if (this.rejection !== undefined) return;
    this.#incoming.feed(piece);
    return settle(repeat(this.#passNext, nextRoundOfLoop), () => {
      for (const held of this.#held) held.copySmallParts(piece.length);
      this.#incoming.checkLength();
    });
  };

  /** Passes the next frames on. Returns whether there may be more in the piece. */
  readonly #passNext = (): MaybePromise<boolean> => {
    const frames = this.#incoming.next();
    return frames !== undefined && settle(this.#incoming.pass(frames), this.#afterFrames);
  };

  readonly #afterFrames = (): boolean => {
    if (this.rejection !== undefined) return false;
    this.#checkBounds();
    return this.#incoming.hasMore;
  };

  /** Decides on what was collected of a chunk, from the first station to the last, and takes what was written. */
  readonly #takeWritten = (): MaybePromise<Buffer> =>
    this.#held.length === 0
      ? this.#encode()
      : settle(settle(this.#guard?.rest(), this.#restoreRest), this.#encode);

  readonly #restoreRest = (): MaybePromise<void> =>
    this.rejection === undefined ? this.#restorer?.rest() : this.#restorer?.end();

  readonly #encode = (): MaybePromise<Buffer> => encodeText(this.#written.takeText());

  /** Changed texts are kept, so that no later event repeats the original. This limits their length. */
  #checkBounds(): void {
    this.#answer.checkMarks();
    if (this.#held.length === 0) return;
    const { response_body_bytes: limit } = this.#services.limits();
    if (this.#answer.arrivedLength > limit) throw new UnreadableAnswer(`its text is over ${limit} bytes`);
    this.#bounds.check();
  }

  /** Returns the rest after the provider has ended its stream. */
  async end(): Promise<Buffer> {
    for (const frame of this.#incoming.end()) await this.#incoming.pass(frame);
    await this.#guard?.end();
    await this.#restorer?.end();
    const text = this.#written.takeText();
    return Buffer.from(this.rejection === undefined ? text + this.#closing() : text);
  }

  /** A stream that ended in the middle of its answer gets an error event, because not every client would notice. */
  #closing(): string {
    if (this.#writer.translates) return this.#writer.finish();
    if (!this.#answer.brokeOff) return '';
    const { dialect, id } = this.#exchange;
    return dialect.writeStreamError(BROKEN_OFF, id).map(formatFrame).join('');
  }

  /** How the exchange ends with this stream. */
  ending(httpStatus: number): Promise<Ending> {
    return this.#answer.ending(httpStatus, this.#isChanged);
  }

  /** What was sent to the client so far, and what had arrived. */
  answers(): Promise<EndingAnswer> {
    return this.#answer.shown(this.#isChanged);
  }

  get #isChanged(): boolean {
    return this.#guard?.held.changed === true;
  }

  usage(): ReportedUsage {
    return this.#answer.usage();
  }

  /** Ends the guard and records what its plugins did. `interrupted` says why the stream ended early. */
  closeGuard(interrupted?: string): void {
    if (this.#guard !== undefined)
      this.#exchange.pluginRuns.push(...this.#guard.held.finish(interrupted).runs);
  }
}

function unpackerOf({ headers }: AnswerHead, services: Services): ContentDecoder {
  const encoding = headers['content-encoding'];
  const unpacker = createContentDecoder(encoding, services.limits().response_body_bytes, 'chunk');
  if (unpacker !== undefined) return unpacker;
  throw new SluiceError('upstream_unavailable', `The model's stream is in an unknown encoding: ${encoding}.`);
}
