import { randomUUID } from 'node:crypto';
import type { Exchange } from '../pipeline/exchange.js';

/** How long Envoy's word on a request may come behind the close of its stream. */
const PATIENCE_MS = 100;

interface Entry {
  exchange: Exchange;
  brokenOff: boolean;
  /** Ends the waiting for Envoy's word. */
  tell?: () => void;
}

/**
 * Joins what else Envoy says of a request to its exchange: the attempt filter's streams, and the access log. The
 * key is random, new for each exchange, and travels in Envoy's dynamic metadata, so no client can name another's.
 * An exchange is here while its gateway stream lives.
 */
export class Exchanges {
  readonly #byKey = new Map<string, Entry>();
  readonly #byLogId = new Map<string, Exchange>();

  /** The key under which `find` gives this exchange. */
  add(exchange: Exchange): string {
    const key = randomUUID();
    this.#byKey.set(key, { exchange, brokenOff: false });
    this.#byLogId.set(exchange.id, exchange);
    return key;
  }

  find(key: string): Exchange | undefined {
    return this.#byKey.get(key)?.exchange;
  }

  /**
   * Envoy's access log says that the current try found no connection. An entry of one try has no dynamic metadata,
   * so it names the exchange by its log id, which we set as the request's id.
   */
  noteUnconnected(logId: string): void {
    const attempt = this.#byLogId.get(logId)?.currentAttempt;
    if (attempt !== undefined) attempt.unconnected = true;
  }

  /** Envoy's access log says that the provider of this exchange broke off. */
  noteBrokenOff(key: string): void {
    const entry = this.#byKey.get(key);
    if (entry === undefined) return;
    entry.brokenOff = true;
    entry.tell?.();
  }

  /**
   * Whether it was the provider that ended the request. Envoy closes its stream to the engine in the same way when
   * the client hangs up; the access log, which may be a little behind, tells the two apart.
   */
  async isBrokenOff(key: string): Promise<boolean> {
    const entry = this.#byKey.get(key);
    if (entry === undefined || entry.brokenOff) return entry?.brokenOff ?? false;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, PATIENCE_MS);
      entry.tell = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    return entry.brokenOff;
  }

  remove(key: string): void {
    const entry = this.#byKey.get(key);
    if (entry !== undefined) this.#byLogId.delete(entry.exchange.id);
    this.#byKey.delete(key);
  }

  get size(): number {
    return this.#byKey.size;
  }
}
