/** The weight of the newest answer in the moving average. */
const NEWEST = 0.1;
/** The estimate for an endpoint without answers so far. */
const UNKNOWN_TOKENS = 256;
const MOST_ENDPOINTS = 10_000;

/** The average length of an endpoint's answers, for requests without a maximum. */
export class OutputEstimates {
  readonly #means = new Map<string, number>();

  estimate(endpoint: string, maxTokens: number | undefined): number {
    return maxTokens ?? Math.ceil(this.#means.get(endpoint) ?? UNKNOWN_TOKENS);
  }

  learn(endpoint: string, outputTokens: number): void {
    const mean = this.#means.get(endpoint);
    if (mean === undefined && this.#means.size >= MOST_ENDPOINTS) return;
    this.#means.set(endpoint, mean === undefined ? outputTokens : mean + (outputTokens - mean) * NEWEST);
  }
}
