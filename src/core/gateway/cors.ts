import type { Directory } from '../directory.js';
import { isUuid } from '../ids.js';

/*
 * Calls from web pages. Each names the origin of its page, and the browser shows the answer to the page only where
 * the answer names that origin too.
 */

/** Headers of answers that a page may read, besides the few that it may always read. */
const EXPOSED = [
  'x-inference-log-id',
  'x-request-id',
  'request-id',
  'x-sluice-model',
  'x-sluice-attempts',
  'x-sluice-cache',
  'x-sluice-valid',
  'x-sluice-left-out',
  'x-sluice-help',
  'x-should-retry',
  'retry-after',
  ...['requests', 'tokens'].flatMap((what) =>
    ['limit', 'remaining', 'reset'].map((kind) => `x-ratelimit-${kind}-${what}`),
  ),
].join(', ');

/**
 * The headers of every answer to a page of this origin. Undefined where the project that the path begins with does
 * not list the origin in `cors.origins`.
 */
export function corsHeaders(
  path: string,
  origin: string,
  directory: Pick<Directory, 'project'>,
): Record<string, string> | undefined {
  const uid = path.split('/', 2)[1] ?? '';
  const project = isUuid(uid) ? directory.project(uid.toLowerCase()) : undefined;
  const origins = project?.enabled ? project.cors?.origins : undefined;
  if (origins === undefined) return undefined;
  const isAny = origins.includes('*');
  if (!isAny && !origins.includes(origin.toLowerCase())) return undefined;
  return {
    'access-control-allow-origin': isAny ? '*' : origin,
    'access-control-expose-headers': EXPOSED,
    // A cache must not give the answer for one origin to a page of another one.
    ...(isAny ? {} : { vary: 'origin' }),
  };
}
