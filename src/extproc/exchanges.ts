import { randomUUID } from 'node:crypto';
import type { Exchange } from '../pipeline/exchange/exchange.js';

/** How long Envoy's access log entry may arrive after the close of its stream. It nearly always arrives, and soon. */
const PATIENCE_MS = 1000;

/** Who ended a request before its answer was complete. */
export type EndedBy = 'model' | 'client';

interface Entry {
  exchange: Exchange;
  endedBy?: EndedBy;
  /** Ends the wait for Envoy's access log. */
  tell?: () => void;
}

/**
 * Joins Envoy's other messages about a request to its exchange: the attempt filter's streams, and the access log. The
 * key is random, new for each exchange, and sent in Envoy's dynamic metadata, so no client can name another's
 * exchange. An exchange is listed while its gateway stream lives.
 */
export class Exchanges {
  readonly #byKey = new Map<string, Entry>();
  readonly #byLogId = new Map<string, Exchange>();

  /** The key by which `find` returns this exchange. */
  add(exchange: Exchange): string {
    const key = randomUUID();
    this.#byKey.set(key, { exchange });
    this.#byLogId.set(exchange.id, exchange);
    return key;
  }

  find(key: string): Exchange | undefined {
    return this.#byKey.get(key)?.exchange;
  }

  /**
   * Records that the current attempt got no connection, by Envoy's access log. The entry of an attempt has no dynamic
   * metadata, so it names the exchange by its log id, which we set as the request's id.
   */
  noteUnconnected(logId: string): void {
    const attempt = this.#byLogId.get(logId)?.currentAttempt;
    if (attempt !== undefined) attempt.unconnected = true;
  }

  /** Records who ended this exchange early, by Envoy's access log. */
  noteEnd(key: string, endedBy: EndedBy): void {
    const entry = this.#byKey.get(key);
    if (entry === undefined) return;
    entry.endedBy = endedBy;
    entry.tell?.();
  }

  /**
   * Whether the provider ended the request. Envoy closes its stream to the engine in the same way when the client
   * disconnects; the access log, which may arrive a little later, tells the two apart.
   */
  async isBrokenOff(key: string): Promise<boolean> {
    const entry = this.#byKey.get(key);
    if (entry === undefined) return false;
    if (entry.endedBy === undefined) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, PATIENCE_MS);
        entry.tell = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    return entry.endedBy === 'model';
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
