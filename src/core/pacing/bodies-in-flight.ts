import { SluiceError } from '../errors.js';

/** Counts the bytes of bodies that are in memory at one time, of all exchanges together. */
export class BodiesInFlight {
  #bytes = 0;

  /** `limitBytes` is called each time, because the configuration may change. */
  constructor(private readonly limitBytes: () => number) {}

  /** Starts to count the bodies of one exchange. */
  open(): BodyHold {
    return new BodyHold(this);
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Throws `overloaded` where this many more bytes do not fit. */
  check(bytes: number): void {
    if (this.#bytes + bytes > this.limitBytes()) {
      throw new SluiceError('overloaded', 'Too many large bodies are in flight. Try again in a moment.');
    }
  }

  /** Counts further bytes. Throws `overloaded` where they do not fit. */
  add(bytes: number): void {
    this.check(bytes);
    this.#bytes += bytes;
  }

  remove(bytes: number): void {
    this.#bytes -= bytes;
  }
}

/** The bytes that one exchange holds. */
export class BodyHold {
  #bytes = 0;
  /** The part of `#bytes` that the answer of the current attempt takes. */
  #answerBytes = 0;
  #released = false;

  constructor(private readonly all: BodiesInFlight) {}

  /** Counts further bytes. Throws `overloaded` where they do not fit. */
  add(bytes: number): void {
    // Bytes that still arrive for an ended exchange are dropped by their reader.
    if (this.#released) return;
    this.all.add(bytes);
    this.#bytes += bytes;
  }

  /** Throws `overloaded` where this many more bytes would not fit. */
  check(bytes: number): void {
    this.all.check(bytes);
  }

  /** Counts further bytes of the answer of an attempt. Throws `overloaded` where they do not fit. */
  addAnswer(bytes: number): void {
    this.add(bytes);
    if (!this.#released) this.#answerBytes += bytes;
  }

  /** Sets how many bytes the answer of an attempt takes now. Throws `overloaded` where they do not fit. */
  holdAnswer(bytes: number): void {
    this.dropAnswer();
    this.addAnswer(bytes);
  }

  /** Drops the answer of an attempt, before the next attempt. */
  dropAnswer(): void {
    this.all.remove(this.#answerBytes);
    this.#bytes -= this.#answerBytes;
    this.#answerBytes = 0;
  }

  /** Frees all bytes of the exchange. A second call does nothing. */
  release(): void {
    this.#released = true;
    this.all.remove(this.#bytes);
    this.#bytes = 0;
    this.#answerBytes = 0;
  }
}
