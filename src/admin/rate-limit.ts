import { createHash } from 'node:crypto';
import type { RateLimitPluginOptions } from '@fastify/rate-limit';
import type { FastifyRequest } from 'fastify';
import { SluiceError } from '../core/errors.js';
import { keyOf, projectsOpenedBy } from './access.js';
import type { AdminDependencies } from './dependencies.js';

/** Enough for a busy client's feedback; who guesses keys gets much less. */
const DEFAULT_LIMIT = { perKey: 120_000, perAddress: 600 };

/** Counts by key where the key is known, since behind Envoy all come from one address, and else by address. */
export function limitRate({
  directory,
  rateLimit = DEFAULT_LIMIT,
}: AdminDependencies): RateLimitPluginOptions {
  const isKnown = (keyText: string, request: FastifyRequest) => {
    if (directory.authenticateAdmin(keyText) !== undefined) return true;
    const { project_uid } = (request.params ?? {}) as { project_uid?: string };
    if (project_uid !== undefined) return directory.authenticate(project_uid, keyText) !== undefined;
    return projectsOpenedBy(directory, keyText).length > 0;
  };
  const keyGenerator = (request: FastifyRequest) => {
    const keyText = keyOf(request);
    if (keyText === undefined || !isKnown(keyText, request)) return `address ${request.ip}`;
    return `key ${createHash('sha256').update(keyText).digest('base64url')}`;
  };
  return {
    global: false,
    allowList: (request) => request.routeOptions.config.rateLimit === false,
    timeWindow: 60_000,
    keyGenerator,
    max: (_request, key) => (key.startsWith('key ') ? rateLimit.perKey : rateLimit.perAddress),
    errorResponseBuilder: (_request, { after }) =>
      new SluiceError('rate_limited', `Too many calls. Try again in ${after}.`),
  };
}
