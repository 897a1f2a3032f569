import { formatFrame } from '../../dialects/wire/sse.js';
import { MOST_ANSWER_BYTES } from '../../policy/cache/answer-cache.js';
import type { Ending } from '../exchange/ending.js';
import type { Exchange } from '../exchange/exchange.js';
import type { AnswerHead } from '../exchange/http.js';
import type { Services } from '../exchange/ports.js';

/**
 * Collects the provider's answer for the cache. Nothing is kept where the endpoint has no cache, or where the answer
 * is too long.
 */
export class KeptAnswer {
  #pieces: Buffer[] | undefined = [];
  #bytes = 0;

  constructor(
    private readonly exchange: Exchange,
    private readonly services: Services,
  ) {}

  add(chunk: Buffer): void {
    if (this.#pieces === undefined || this.exchange.cache?.state !== 'miss') return;
    this.#bytes += chunk.length;
    if (this.#bytes > MOST_ANSWER_BYTES) this.#pieces = undefined;
    // The chunk is a view of Envoy's message, so it is copied.
    else this.#pieces.push(Buffer.from(chunk));
  }

  /** Called when the exchange is over. Only a whole, valid, successful answer is kept. */
  keep(ending: Ending, head: AnswerHead | undefined): void {
    const { exchange, services } = this;
    const { cache, endpoint } = exchange;
    const attempt = exchange.currentAttempt;
    if (cache?.state !== 'miss' || attempt === undefined || endpoint?.cache === undefined) return;
    if (ending.status !== 'success' || exchange.released.invalid !== undefined) return;
    if (attempt.record.status !== 'success') return;
    const gathered = this.#whole(head);
    if (gathered === undefined) return;
    const { provider, model } = attempt.choice;
    const { dialect } = attempt;
    const answer = { logId: exchange.id, dialect, provider, model, ...gathered };
    services.cache.keep(cache.key, answer, endpoint.cache.ttl_s * 1_000);
  }

  /**
   * The complete answer. Where a judge held it, it is in the exchange's outcome, because its bytes did not pass
   * through `add`.
   */
  #whole(head: AnswerHead | undefined): { contentType: string; body: Buffer } | undefined {
    const { outcome } = this.exchange;
    if (outcome !== undefined) {
      if (outcome.kind !== 'answer' || outcome.whole.kind === 'bytes') return undefined;
      const { whole } = outcome;
      return whole.kind === 'json'
        ? { contentType: 'application/json', body: Buffer.from(whole.document.text) }
        : { contentType: 'text/event-stream', body: Buffer.from(whole.frames.map(formatFrame).join('')) };
    }
    const contentType = head?.headers['content-type'];
    const packed = head?.headers['content-encoding'] !== undefined;
    if (head?.status !== 200 || contentType === undefined || packed || this.#pieces === undefined)
      return undefined;
    return { contentType, body: Buffer.concat(this.#pieces) };
  }
}
