import { monitorEventLoopDelay } from 'node:perf_hooks';

const WINDOW_MS = 10_000;
const RESOLUTION_MS = 20;
const QUANTILES = ['0.5', '0.99', '1'] as const;

/** Measures how much later than requested timers fire, over the last complete window of ten seconds. */
export class EventLoopLag {
  readonly #histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  readonly #timer: NodeJS.Timeout;
  #last: [string, number][] | undefined;

  constructor() {
    this.#histogram.enable();
    this.#timer = setInterval(() => {
      this.#last = this.#read();
      this.#histogram.reset();
    }, WINDOW_MS).unref();
  }

  /** The lag in seconds by quantile. During the first window, it covers the time so far. */
  quantiles(): [string, number][] {
    return this.#last ?? this.#read();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#histogram.disable();
  }

  #read(): [string, number][] {
    return QUANTILES.map((quantile) => {
      const measured = this.#histogram.count > 0;
      const delayMs = measured ? this.#histogram.percentile(Number(quantile) * 100) / 1e6 : 0;
      // The histogram contains the whole time between two of its timers.
      return [quantile, Math.max(0, delayMs - RESOLUTION_MS) / 1000];
    });
  }
}
