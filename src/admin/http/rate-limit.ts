import type { RateLimitPluginOptions } from '@fastify/rate-limit';
import { SluiceError } from '../../core/errors.js';
import { type Callers, ENGINES } from '../access/callers.js';
import type { AdminDependencies } from '../dependencies.js';

/** Enough for a busy client's feedback; who guesses keys gets much less. */
const DEFAULT_LIMIT = { perKey: 120_000, perAddress: 600 };
const ADDRESS = 'address ';
/** All of them have one key, and bound themselves: one batch of logs is under way for each spool. */
const UNLIMITED = Number.MAX_SAFE_INTEGER;

/** Counts by caller where the caller is known, since behind Envoy all come from one address, and else by address. */
export function limitRate(
  { rateLimit = DEFAULT_LIMIT }: AdminDependencies,
  callers: Callers,
): RateLimitPluginOptions {
  return {
    global: false,
    allowList: (request) => request.routeOptions.config.rateLimit === false,
    timeWindow: 60_000,
    keyGenerator: (request) => callers.guess(request) ?? ADDRESS + request.ip,
    max: (_request, key) =>
      key === ENGINES ? UNLIMITED : key.startsWith(ADDRESS) ? rateLimit.perAddress : rateLimit.perKey,
    errorResponseBuilder: (_request, { after }) =>
      new SluiceError('rate_limited', `Too many calls. Try again in ${after}.`),
  };
}
