import { inspect } from 'node:util';

/**
 * A credential. It prints as `[redacted]` wherever it is logged, interpolated or serialised. Only `reveal` returns its text.
 */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return '[redacted]';
  }

  toJSON(): string {
    return '[redacted]';
  }

  [inspect.custom](): string {
    return '[redacted]';
  }
}
