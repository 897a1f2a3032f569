import { SluiceError } from '../core/errors.js';
import type { BodyHold } from '../core/pacing/bodies-in-flight.js';
import { SHORT_BODY_BYTES } from '../envoy/names.js';

/** The most bytes that a message of Envoy has besides the body in it. */
const MESSAGE_OVERHEAD_BYTES = 64 * 1024;
/**
 * A body of up to this many times the limit is received completely, because some HTTP/2 clients lose an answer that
 * comes while they are sending.
 */
const READ_OVER_LIMIT = 2;

/**
 * The body of a client's request on its way from Envoy, which sends it in one message: a short one together with the headers,
 * any other when the engine asks for it. Throws `request_too_large` or `overloaded` where there is no room for it.
 */
export class IncomingBody {
  /** Whether Envoy sends the body with the headers. It then accepts one answer for both. */
  isTogether = false;
  /** Whether the message with the body has arrived, or is no longer wanted. */
  received = false;
  /** The bytes that were counted before they arrived. */
  #counted = 0;
  /** A body that came with the headers and waits for its trailers. */
  #beforeTrailers?: Buffer;

  constructor(
    /** The limit of a body in bytes. */
    private readonly limit: () => number,
  ) {}

  /**
   * Begins to receive a body. Returns false where Envoy does not send bodies in one message, which happens only with
   * an older configuration.
   */
  begin(announced: number, isDuplex: boolean): boolean {
    this.isTogether = isDuplex;
    return !isDuplex || (announced > 0 && announced <= SHORT_BODY_BYTES);
  }

  /** Checks the length that the client has announced. */
  check(announced: number, bodies: BodyHold): void {
    if (announced > this.limit() * READ_OVER_LIMIT) throw this.#tooLarge();
    bodies.check(announced);
  }

  /** Counts the bytes of a message that has begun to arrive. */
  expect(bytes: number, bodies: BodyHold): void {
    if (bytes - MESSAGE_OVERHEAD_BYTES > this.limit()) throw this.#tooLarge();
    this.#count(bytes, bodies);
  }

  /** Takes the body. Returns it, or undefined where its trailers must arrive first. */
  take(body: Buffer, isLast: boolean, bodies: BodyHold): Buffer | undefined {
    this.received = true;
    if (body.length > this.limit()) throw this.#tooLarge();
    this.#count(body.length, bodies);
    if (isLast || !this.isTogether) return body;
    this.#beforeTrailers = body;
    return undefined;
  }

  /** Returns the body that waited for its trailers. */
  takeTrailers(): Buffer | undefined {
    const body = this.#beforeTrailers;
    this.#beforeTrailers = undefined;
    return body;
  }

  #count(bytes: number, bodies: BodyHold): void {
    const more = bytes - this.#counted;
    if (more <= 0) return;
    bodies.add(more);
    this.#counted = bytes;
  }

  #tooLarge(): SluiceError {
    return new SluiceError('request_too_large', `The body is over the limit of ${this.limit()} bytes.`);
  }
}
