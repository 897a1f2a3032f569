import type { Dialect } from '../../dialects/dialect.js';
import type { CachedAnswer } from '../../policy/cache/answer-cache.js';
import type { Exchange } from '../exchange/exchange.js';
import type { Services } from '../exchange/ports.js';
import { cacheKey } from './cache-key.js';

/**
 * Looks up the answer in the cache of the endpoint, and records the result in `exchange.cache`. Undefined where no
 * answer was found.
 */
export async function lookUpAnswer(
  exchange: Exchange,
  services: Services,
): Promise<CachedAnswer<Dialect> | undefined> {
  const settings = exchange.endpoint?.cache;
  if (settings === undefined || exchange.call !== 'answer') return undefined;
  const key = cacheKey(exchange, settings, services);
  if (key === undefined) {
    exchange.cache = { state: 'bypass' };
    return undefined;
  }
  const { cache } = services;
  let found = cache.find(key);
  const asking = settings.coalesce && found === undefined ? cache.asking(key) : undefined;
  if (asking !== undefined) {
    await Promise.race([asking, abortOf(exchange.signal)]);
    found = cache.find(key);
  }
  // The client has disconnected, so nobody would end the wait of others that ask for the same answer.
  if (exchange.ended || exchange.isCancelled) return undefined;
  if (found !== undefined) {
    exchange.cache = { state: 'hit', from: found.logId };
    return found;
  }
  exchange.cache = { state: 'miss', key, over: cache.ask(key) };
  return undefined;
}

function abortOf(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
