import type { Directory } from '../../core/directory.js';
import { corsHeaders } from '../../core/gateway/cors.js';
import type { Reply, RequestHead } from '../exchange/http.js';

/** What a web page that calls a project is told. */
export interface Cors {
  /** The headers of every answer. */
  headers: Readonly<Record<string, string>>;
  /**
   * The answer to a preflight request, by which a browser asks whether the page may make a call. Such a request has no key.
   */
  preflight?: Reply;
}

const METHODS = 'GET, POST, PATCH';
/** For how many seconds a browser need not ask again. After that time, a changed configuration applies everywhere. */
const PREFLIGHT_SECONDS = '600';
/** Names of headers, with commas between them. */
const HEADER_NAMES = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+(\s*,\s*[!#$%&'*+.^_`|~0-9A-Za-z-]+)*$/;
const MOST_HEADER_NAMES = 4_096;

/**
 * The CORS headers for a call. Undefined where it does not come from a web page, or where the project does not list
 * the page's origin.
 */
export function readCors(
  { method, path, headers }: RequestHead,
  directory: Pick<Directory, 'project'>,
): Cors | undefined {
  const { origin } = headers;
  if (origin === undefined) return undefined;
  const answer = corsHeaders(path, origin, directory);
  if (answer === undefined) return undefined;
  if (method !== 'OPTIONS' || headers['access-control-request-method'] === undefined)
    return { headers: answer };
  const wanted = headers['access-control-request-headers'] ?? '';
  // SDKs send headers of their own, so all names are allowed. A header that is unknown here is not forwarded to a
  // provider.
  const allowed = wanted.length <= MOST_HEADER_NAMES && HEADER_NAMES.test(wanted);
  const preflight: Reply = {
    status: 204,
    body: '',
    headers: {
      'access-control-allow-methods': METHODS,
      ...(allowed ? { 'access-control-allow-headers': wanted } : {}),
      'access-control-max-age': PREFLIGHT_SECONDS,
    },
  };
  return { headers: answer, preflight };
}

/** Headers in which a provider lists the pages that may call it. These are not the pages that may call the gateway. */
export const PROVIDER_CORS = [
  'access-control-allow-origin',
  'access-control-allow-credentials',
  'access-control-allow-headers',
  'access-control-allow-methods',
  'access-control-expose-headers',
  'access-control-max-age',
];
