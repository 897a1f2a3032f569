import type { Channel, StreamEvent } from '../../../core/answer.js';
import { isHeavy } from '../../../core/pacing/heavy-work.js';
import type { MaybePromise } from '../../../core/pacing/maybe-promise.js';
import { settle } from '../../../core/pacing/maybe-promise.js';
import { runSteps } from '../../../core/pacing/steps.js';
import type { SseFrame, StreamDecoder } from '../../../dialects/dialect.js';
import { createSseParser, type SseParser } from '../../../dialects/wire/sse.js';
import { decodeFrame } from '../../attempt/read/decode-frame.js';
import { hideInError } from '../../attempt/read/hide-secrets.js';
import {
  hideSecrets,
  REPEATS_SECRET,
  repeatsSecret,
  unmistakable,
} from '../../attempt/read/provider-secrets.js';
import { SecretWatch } from '../../attempt/read/secret-watch.js';
import type { Attempt } from '../../exchange/attempt.js';
import { UnreadableAnswer } from '../../exchange/content-decoder.js';
import { eachEvent } from './each-event.js';
import type { FrameTaker } from './frame-taker.js';
import { RepeatedFrames } from './repeated/repeated-frames.js';
import { RepeatedRun } from './repeated/repeated-run.js';

/**
 * The first station of a stream: cuts the provider's bytes into frames, hides its credentials in them, decodes each
 * frame once, and passes it on. Frames that differ only in their text are read together and not decoded.
 */
export class IncomingFrames {
  readonly #parser: SseParser = createSseParser();
  readonly #decoder: StreamDecoder;
  readonly #repeated = new RepeatedFrames();
  readonly #secrets: readonly string[];
  /** The secrets that no text may repeat. */
  readonly #unmistakable: readonly string[];
  readonly #watch: SecretWatch;
  readonly #next: FrameTaker;

  constructor({ dialect, secrets }: Attempt, next: FrameTaker) {
    this.#decoder = dialect.createDecoder();
    this.#secrets = secrets;
    this.#unmistakable = unmistakable(secrets);
    this.#watch = new SecretWatch(this.#unmistakable);
    this.#next = next;
  }

  /** The number of comments that the provider has sent so far. */
  get comments(): number {
    return this.#parser.comments;
  }

  /** Takes bytes of the stream, after all of those before were read. */
  feed(bytes: Buffer): void {
    this.#parser.feed(bytes);
  }

  /** Whether some of the bytes were not read yet. */
  get hasMore(): boolean {
    return this.#parser.hasMore;
  }

  /** The next frames of these bytes. They must go through `pass` before the ones after them are read. */
  next(): SseFrame | RepeatedRun | undefined {
    return this.#parser.next(this.#readRun);
  }

  /** Throws where an event is too long to be read. */
  checkLength(): void {
    if (this.#parser.overflowed) throw new UnreadableAnswer('one of its events is too long');
  }

  /** The frame that lacked only its empty line when the stream ended, if there is one. */
  end(): SseFrame[] {
    return this.#parser.end();
  }

  /** Passes a frame on to the next station, with its events. */
  pass(read: SseFrame | RepeatedRun): MaybePromise<void> {
    if (read instanceof RepeatedRun) return this.#passRun(read);
    const hasSecret = repeatsSecret(read.data, this.#unmistakable);
    const frame = hasSecret ? { ...read, data: hideSecrets(read.data, this.#unmistakable) } : read;
    const run = this.#repeated.read(frame);
    if (run !== undefined) return this.#passRun(run);
    const decoded = isHeavy(frame.data.length)
      ? runSteps(decodeFrame(this.#decoder, frame))
      : this.#decoder.decode(frame);
    return settle(decoded, (events) => this.#passDecoded(frame, events));
  }

  #passDecoded(came: SseFrame, decoded: StreamEvent[]): MaybePromise<void> {
    const { frame, events } = hideInError({ frame: came, events: decoded }, this.#secrets);
    this.#repeated.learn(frame, events);
    return settle(eachEvent(events, this.#refuseSecretIn), () => this.#next.take(frame, events));
  }

  #passRun(run: RepeatedRun): MaybePromise<void> {
    this.#refuseSecret(run.shape.delta.channel, run.text);
    return this.#next.takeRun(run);
  }

  /** Frames that repeat a credential are not read together, so that it is hidden in each. */
  readonly #readRun = (came: string, at: number) => {
    const run = this.#repeated.readRun(came, at);
    return run === undefined || !repeatsSecret(run.wire, this.#unmistakable) ? run : undefined;
  };

  readonly #refuseSecretIn = (event: StreamEvent): void => {
    if (event.type === 'delta') this.#refuseSecret(event.channel, event.text);
  };

  #refuseSecret(channel: Channel, text: string): void {
    if (this.#watch.sees(channel, text)) throw new UnreadableAnswer(REPEATS_SECRET);
  }
}
