import { SluiceError } from '../core/errors.js';
import type { BodyHold } from '../core/pacing/bodies-in-flight.js';
import type { MaybePromise } from '../core/pacing/maybe-promise.js';
import { settle } from '../core/pacing/maybe-promise.js';
import { nextRoundOfLoop } from '../core/pacing/pace.js';
import { repeat } from '../core/pacing/repeat.js';
import { ByteQueue } from '../grpc/byte-queue.js';
import { turns, type Waiting } from '../grpc/turns.js';

/** The most bytes that may wait for the client's stream. Guards can slow it down, and so can other streams. */
const MOST_WAITING_BYTES = 32 << 20;
/** Of all such streams of an engine together. */
const MOST_WAITING_OF_ALL = 64 << 20;
/** This many waiting bytes are normal and not counted among the bodies in flight. */
const FREE_BYTES = 64 << 10;

/** Pieces that wait are joined up to this length, because each costs as much as its frames. */
const JOINED_BYTES = 16 << 10;

/** Receives the bytes of the stream that an attempt passes on. */
export interface PassedStreamTaker {
  onChunk(bytes: Buffer): MaybePromise<void>;
  onEnd(): MaybePromise<void>;
}

/** What the gateway's stream does for a passed stream. */
export interface PassedStreamOutlet {
  /** Tells the gateway's stream that bytes wait. It calls `giveTo` in its turn. */
  wake(): void;
  /** Called where the stream cannot continue. */
  fail(error: unknown): void;
}

/** The streams of an engine of which bytes wait. Where too many wait in all, the stream with most of them ends. */
export class PassedStreams {
  readonly #streams = new Set<PassedStream>();
  #bytes = 0;

  /** So many bytes more of this stream wait; negative for fewer. */
  note(stream: PassedStream, bytes: number): void {
    this.#bytes += bytes;
    if (stream.waitingBytes === 0) this.#streams.delete(stream);
    else this.#streams.add(stream);
    if (this.#bytes > MOST_WAITING_OF_ALL) this.#longest().giveUp(MOST_WAITING_OF_ALL);
  }

  #longest(): PassedStream {
    return [...this.#streams].reduce((most, one) => (one.waitingBytes > most.waitingBytes ? one : most));
  }
}

/** Of this thread: all of its streams share one memory. */
const passedStreams = new PassedStreams();

/**
 * A stream that an attempt passes to the gateway's stream inside the engine. Envoy gets only its headers and its end
 * from the attempt. If Envoy brought the bytes to the gateway's filter, it would have to limit what it keeps there
 * for a slow guard, and Envoy 1.40 crashes when it then holds back a model that has ended its answer. An attempt does
 * not wait for the gateway's stream, because Envoy keeps whatever is not read, without a limit. So the limits are here:
 * where too much of it waits, or of all such streams, the stream ends with an error.
 */
export class PassedStream implements Waiting {
  readonly #bytes = new ByteQueue();
  #counted = FREE_BYTES;
  #isOpen = false;
  #isAwake = false;
  #isEnded = false;
  #isOver = false;

  constructor(
    private readonly bodies: BodyHold,
    private readonly outlet: PassedStreamOutlet,
    private readonly all = passedStreams,
  ) {}

  // From the attempt -------------------------------------------------------------------------------------

  pass(bytes: Buffer): void {
    if (this.#isOver || bytes.length === 0) return;
    this.#bytes.push(bytes);
    this.all.note(this, bytes.length);
    if (this.waitingBytes > MOST_WAITING_BYTES) this.giveUp(MOST_WAITING_BYTES);
    else this.#count();
    this.#wake();
  }

  end(): void {
    this.#isEnded = true;
    this.#wake();
  }

  // To the client's stream -------------------------------------------------------------------------------

  /** Must be called when Envoy has shown the answer to the gateway's filter. From then on its body may be written. */
  open(): void {
    this.#isOpen = true;
    this.#wake();
  }

  /** The bytes that the client's stream has not taken. */
  get waitingBytes(): number {
    return this.#bytes.length;
  }

  /** Whether bytes wait that the client's stream has not taken. */
  get hasWaiting(): boolean {
    return !this.#isOver && (this.waitingBytes > 0 || this.#isEnded);
  }

  /** Gives the taker the bytes that wait at the moment of the call. */
  giveTo(taker: PassedStreamTaker): MaybePromise<void> {
    this.#isAwake = false;
    let left = this.waitingBytes;
    const giveNext = () => {
      if (left <= 0 || this.#isOver) return false;
      const piece = this.#bytes.takePiece(JOINED_BYTES);
      this.all.note(this, -piece.length);
      left -= piece.length;
      return settle(taker.onChunk(piece), () => left > 0);
    };
    return settle(repeat(giveNext, nextRoundOfLoop), () => this.#giveEnd(taker));
  }

  #giveEnd(taker: PassedStreamTaker): MaybePromise<void> {
    if (this.#isOver) return;
    if (this.waitingBytes > 0 || !this.#isEnded) return this.#wake();
    this.#isOver = true;
    return taker.onEnd();
  }

  /** Drops the rest, because nobody takes it. */
  drop(): void {
    this.#isOver = true;
    const { waitingBytes } = this;
    this.#bytes.clear();
    if (waitingBytes > 0) this.all.note(this, -waitingBytes);
  }

  /** Ends the stream, because more than `most` bytes wait: of it, or of all together. */
  giveUp(most: number): void {
    this.fail(
      new SluiceError(
        'upstream_unavailable',
        `The model sends its answer faster than it can be read: over ${most} bytes are waiting.`,
      ),
    );
  }

  /** Ends the stream with an error. */
  fail(error: unknown): void {
    this.drop();
    this.outlet.fail(error);
  }

  #wake(): void {
    if (!this.#isOpen || this.#isAwake || !this.hasWaiting) return;
    this.#isAwake = true;
    // All waiting bytes are read and counted first, and then handled in turns.
    if (turns.isOver) turns.wait(this);
    // What comes in one read from Envoy is handled together.
    else queueMicrotask(() => this.deliver());
  }

  deliver(): void {
    this.outlet.wake();
  }

  #count(): void {
    const { waitingBytes } = this;
    if (waitingBytes <= this.#counted) return;
    try {
      this.bodies.add(waitingBytes - this.#counted);
      this.#counted = waitingBytes;
    } catch (error) {
      this.fail(error);
    }
  }
}
