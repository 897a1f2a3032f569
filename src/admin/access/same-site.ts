import type { FastifyRequest } from 'fastify';
import { SluiceError } from '../../core/errors.js';

const HARMLESS_METHODS = new Set(['GET', 'HEAD']);

/**
 * A browser sends our cookie with every request, whichever site's page made it. So a change must come from our own
 * pages: it needs a header that pages of other sites cannot set, and its other headers must not name another site.
 */
export function refuseForeignSites(request: FastifyRequest): void {
  if (HARMLESS_METHODS.has(request.method) || !isOfPage(request)) return;
  if (request.headers['x-sluice-csrf'] !== '1') {
    throw new SluiceError(
      'cross_site_request',
      'A change with a session needs the header `x-sluice-csrf: 1`.',
    );
  }
  if (!isOwnPage(request)) {
    throw new SluiceError(
      'cross_site_request',
      'A change with a session must come from a page of this server.',
    );
  }
}

/** Browsers say where each change comes from (Fetch, section 3.2). Programs that use a cookie do not. */
function isOfPage({ headers }: FastifyRequest): boolean {
  const { origin, referer, 'sec-fetch-site': site } = headers;
  return origin !== undefined || referer !== undefined || site !== undefined;
}

/** Browsers send the header Sec-Fetch-Site over https and on loopback, and an Origin with every change everywhere. */
export function isOwnPage({ headers }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  const { origin, host } = headers;
  return origin !== undefined && URL.canParse(origin) && new URL(origin).host === host?.toLowerCase();
}
