import type { Dialect } from '../../dialects/dialect.js';
import type { CachedAnswer } from '../../policy/cache/answer-cache.js';
import type { Exchange } from '../exchange/exchange.js';
import type { Services } from '../exchange/ports.js';
import { cacheKey } from './cache-key.js';

/** The answer that the cache has for a request, where its endpoint has one. Says in the exchange what came of it. */
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
    if (exchange.isCancelled) return undefined;
    found = cache.find(key);
  }
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
