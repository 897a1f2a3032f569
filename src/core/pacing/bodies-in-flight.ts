import { SluiceError } from '../errors.js';

/** Bytes of bodies that are in memory at one time, of all exchanges together. */
export class BodiesInFlight {
  #bytes = 0;

  /** `limitBytes` is asked each time, since a changed configuration may move it. */
  constructor(private readonly limitBytes: () => number) {}

  /** For the bodies of one exchange. */
  open(): BodyHold {
    return new BodyHold(this);
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Throws `overloaded` where so many more do not fit. */
  check(bytes: number): void {
    if (this.#bytes + bytes > this.limitBytes()) {
      throw new SluiceError('overloaded', 'Too many large bodies are under way. Try again in a moment.');
    }
  }

  /** Throws `overloaded` where they do not fit. */
  add(bytes: number): void {
    this.check(bytes);
    this.#bytes += bytes;
  }

  remove(bytes: number): void {
    this.#bytes -= bytes;
  }
}

/** What one exchange holds of them. */
export class BodyHold {
  #bytes = 0;
  /** Of `#bytes`, what the answer of the try under way takes. */
  #answerBytes = 0;
  #released = false;

  constructor(private readonly all: BodiesInFlight) {}

  /** Throws `overloaded` where they do not fit. */
  add(bytes: number): void {
    // What still comes for an exchange that is over is dropped by its reader.
    if (this.#released) return;
    this.all.add(bytes);
    this.#bytes += bytes;
  }

  /** Throws `overloaded` where so many more would not fit. */
  check(bytes: number): void {
    this.all.check(bytes);
  }

  /** The same for the answer of a try. */
  addAnswer(bytes: number): void {
    this.add(bytes);
    if (!this.#released) this.#answerBytes += bytes;
  }

  /** The answer of a try is given up for the next one. */
  dropAnswer(): void {
    this.all.remove(this.#answerBytes);
    this.#bytes -= this.#answerBytes;
    this.#answerBytes = 0;
  }

  /** A second call does nothing. */
  release(): void {
    this.#released = true;
    this.all.remove(this.#bytes);
    this.#bytes = 0;
    this.#answerBytes = 0;
  }
}
