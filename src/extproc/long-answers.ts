import { SluiceError } from '../core/errors.js';

/** What may wait in Envoy for engines, of all answers together, in bytes. */
const MOST_IN_ENVOY = 128 << 20;
/** A fast model sends some ten MiB in this time. */
const LOOK_INTERVAL_MS = 50;

/** An attempt whose answer is long. */
export interface LongAnswer {
  /** The bytes of it that the engine has received. */
  readonly receivedBytes: number;
  /** The answer ends with an error. */
  giveUp(error: SluiceError): void;
}

/**
 * The long answers of attempts that are under way. Envoy keeps what the engine has not read of them, without a bound of its own: it
 * crashes where it holds back a model that has ended its answer. So as long as there are long answers, the engine asks Envoy how much
 * it keeps, and ends the fastest answer where that is too much and becomes more. What waits of an answer that has ended is read soon.
 */
export class LongAnswers {
  /** With what was received of each when Envoy was asked last. */
  readonly #answers = new Map<LongAnswer, number>();
  #timer: NodeJS.Timeout | undefined;
  /** What waited in Envoy when it was asked last. */
  #waiting = 0;

  /** `waitingInEnvoy` gives undefined where Envoy cannot be asked, as on another machine. */
  constructor(private readonly waitingInEnvoy: () => Promise<number | undefined>) {}

  add(answer: LongAnswer): void {
    this.#answers.set(answer, answer.receivedBytes);
    this.#lookSoon();
  }

  delete(answer: LongAnswer): void {
    this.#answers.delete(answer);
  }

  #lookSoon(): void {
    this.#timer ??= setTimeout(() => void this.#look(), LOOK_INTERVAL_MS).unref();
  }

  async #look(): Promise<void> {
    const waiting = (await this.waitingInEnvoy()) ?? 0;
    this.#timer = undefined;
    if (waiting > MOST_IN_ENVOY && waiting > this.#waiting) this.#endFastest();
    this.#waiting = waiting;
    for (const answer of this.#answers.keys()) this.#answers.set(answer, answer.receivedBytes);
    if (this.#answers.size > 0) this.#lookSoon();
  }

  #endFastest(): void {
    let fastest: LongAnswer | undefined;
    let most = -1;
    for (const [answer, before] of this.#answers) {
      const received = answer.receivedBytes - before;
      if (received > most) [fastest, most] = [answer, received];
    }
    fastest?.giveUp(
      new SluiceError(
        'upstream_unavailable',
        `The models send their answers faster than they can be read: over ${MOST_IN_ENVOY} bytes are waiting in Envoy.`,
      ),
    );
  }
}
