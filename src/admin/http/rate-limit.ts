import type { RateLimitPluginOptions } from '@fastify/rate-limit';
import type { FastifyRequest } from 'fastify';
import { SluiceError } from '../../core/errors.js';
import { GATEWAY_HEADER } from '../../core/gateway/gateway-header.js';
import { type Callers, ENGINES } from '../access/callers.js';
import { readSession } from '../access/session-cookie.js';
import type { AdminDependencies } from '../dependencies.js';

/** Enough for the feedback of a busy client. Callers that guess keys get much less. */
const DEFAULT_LIMIT = { perKey: 120_000, perAddress: 600 };
const ADDRESS = 'address ';
const GATEWAY = `${ADDRESS}gateway`;
/** Engines share one key and limit themselves: each spool sends one batch at a time. */
const UNLIMITED = Number.MAX_SAFE_INTEGER;

/**
 * Counts calls by caller where the caller is known, and else by address. Calls that come through the gateway without
 * a valid key are counted separately: they have the address of Envoy, which operators may use too.
 */
export function limitRate(
  { rateLimit = DEFAULT_LIMIT }: AdminDependencies,
  callers: Callers,
): RateLimitPluginOptions {
  return {
    global: false,
    allowList: (request) => request.routeOptions.config.rateLimit === false,
    timeWindow: 60_000,
    keyGenerator: (request) => callers.guess(request) ?? unknownCaller(request),
    max: (_request, key) =>
      key === ENGINES ? UNLIMITED : key.startsWith(ADDRESS) ? rateLimit.perAddress : rateLimit.perKey,
    errorResponseBuilder: (_request, { after }) =>
      new SluiceError('rate_limited', `Too many calls. Try again in ${after}.`),
  };
}

/** A session that was not seen since the start may be valid, so it is counted apart from calls without any session. */
function unknownCaller(request: FastifyRequest): string {
  if (GATEWAY_HEADER in request.headers) return GATEWAY;
  return `${ADDRESS}${readSession(request) === undefined ? '' : 'session '}${request.ip}`;
}
