import { SluiceError } from '../core/errors.js';
import type { BodyHold } from '../core/pacing/bodies-in-flight.js';
import { Pace } from '../core/pacing/pace.js';
import { ByteQueue } from '../grpc/byte-queue.js';
import { turns, type Waiting } from '../grpc/turns.js';

/** The most bytes that may wait for the client's stream. Guards can slow it down, and so can other streams. */
const MOST_WAITING_BYTES = 32 << 20;
/** This many waiting bytes are normal and not counted among the bodies in flight. */
const FREE_BYTES = 64 << 10;

/** Receives the bytes of the stream that an attempt passes on. */
export interface PassedStreamTaker {
  onChunk(bytes: Buffer): Promise<void>;
  onEnd(): Promise<void>;
}

/** What the gateway's stream does for a passed stream. */
export interface PassedStreamOutlet {
  /** Tells the gateway's stream that bytes wait. It calls `giveTo` in its turn. */
  wake(): void;
  /** Called where the stream cannot continue. */
  fail(error: unknown): void;
}

/**
 * A stream that an attempt passes to the gateway's stream inside the engine. Envoy gets only its headers and its end
 * from the attempt. If Envoy brought the bytes to the gateway's filter, it would have to limit what it keeps there
 * for a slow guard, and Envoy 1.40 crashes when it then holds back a model that has ended its answer. An attempt does
 * not wait for the gateway's stream, because Envoy keeps whatever is not read, without a limit. So the limit is here:
 * where too much waits, the stream ends with an error.
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
  ) {}

  // From the attempt -------------------------------------------------------------------------------------

  pass(bytes: Buffer): void {
    if (this.#isOver || bytes.length === 0) return;
    this.#bytes.push(bytes);
    try {
      this.#count();
    } catch (error) {
      this.drop();
      this.outlet.fail(error);
      return;
    }
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

  /** Whether bytes wait that the client's stream has not taken. */
  get hasWaiting(): boolean {
    return !this.#isOver && (this.#bytes.length > 0 || this.#isEnded);
  }

  /** Gives the taker the bytes that wait at the moment of the call. */
  async giveTo(taker: PassedStreamTaker): Promise<void> {
    this.#isAwake = false;
    const pace = new Pace();
    for (let left = this.#bytes.length; left > 0 && !this.#isOver; ) {
      const piece = this.#bytes.takePiece();
      left -= piece.length;
      await taker.onChunk(piece);
      const pause = left > 0 ? pace.pause() : undefined;
      if (pause !== undefined) await pause;
    }
    if (this.#isOver) return;
    if (this.#bytes.length > 0 || !this.#isEnded) return this.#wake();
    this.#isOver = true;
    await taker.onEnd();
  }

  /** Drops the rest, because nobody takes it. */
  drop(): void {
    this.#isOver = true;
    this.#bytes.clear();
  }

  #wake(): void {
    if (!this.#isOpen || this.#isAwake || !this.hasWaiting) return;
    this.#isAwake = true;
    // All waiting bytes are read and counted first, and then handled in turns.
    if (turns.isOver) turns.wait(this);
    else this.outlet.wake();
  }

  deliver(): void {
    this.outlet.wake();
  }

  #count(): void {
    const { length } = this.#bytes;
    if (length > MOST_WAITING_BYTES) {
      throw new SluiceError(
        'upstream_unavailable',
        `The model sends its answer faster than it can be read: over ${MOST_WAITING_BYTES} bytes of it are waiting.`,
      );
    }
    if (length <= this.#counted) return;
    this.bodies.add(length - this.#counted);
    this.#counted = length;
  }
}
