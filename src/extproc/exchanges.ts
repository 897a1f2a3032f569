import { randomBytes } from 'node:crypto';
import type { Exchange } from '../pipeline/exchange.js';

/**
 * Joins the attempt filter's streams to their exchange. The key is random, new for each exchange, and travels in
 * Envoy's dynamic metadata, so no client can name another's. An exchange is here while its gateway stream lives.
 */
export class Exchanges {
  readonly #byKey = new Map<string, Exchange>();

  /** The key under which `find` gives this exchange. */
  add(exchange: Exchange): string {
    const key = randomBytes(16).toString('base64url');
    this.#byKey.set(key, exchange);
    return key;
  }

  find(key: string): Exchange | undefined {
    return this.#byKey.get(key);
  }

  remove(key: string): void {
    this.#byKey.delete(key);
  }

  get size(): number {
    return this.#byKey.size;
  }
}
