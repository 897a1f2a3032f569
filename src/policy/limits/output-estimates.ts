/** Weight of the newest answer in the mean of all. */
const NEWEST = 0.1;
/** Taken for an endpoint of which no answer is known yet. */
const UNKNOWN_TOKENS = 256;
const MOST_ENDPOINTS = 10_000;

/** How long answers of an endpoint are, as it has been so far: for requests that do not say how long theirs may be. */
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
