import type { Directory } from '../../core/directory.js';
import { corsHeaders } from '../../core/gateway/cors.js';
import type { Reply, RequestHead } from '../exchange/http.js';

/** What the page of a browser is told that calls a project. */
export interface Cors {
  /** Of every answer. */
  headers: Readonly<Record<string, string>>;
  /** The answer to a preflight, by which the browser asks whether the page may make a call. It has no key. */
  preflight?: Reply;
}

const METHODS = 'GET, POST, PATCH';
/** How long a browser may go without asking again, so that a changed configuration holds everywhere after that. */
const PREFLIGHT_SECONDS = '600';
/** Names of headers, with commas between them. */
const HEADER_NAMES = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+(\s*,\s*[!#$%&'*+.^_`|~0-9A-Za-z-]+)*$/;
const MOST_HEADER_NAMES = 4_096;

/** Undefined for a call that comes from no page, or from one whose origin the project does not name. */
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
  // SDKs send headers of their own. None that is unknown here goes to a provider.
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

/** What a provider says of the pages that may call it, which are not those that may call us. */
export const PROVIDER_CORS = [
  'access-control-allow-origin',
  'access-control-allow-credentials',
  'access-control-allow-headers',
  'access-control-allow-methods',
  'access-control-expose-headers',
  'access-control-max-age',
];
