import { MAX_JSON_DEPTH, nestsTooDeep } from '../core/json-scan.js';
import type { AdminServer } from './admin-server.js';
import { invalidRequest } from './errors.js';

/** How bodies of JSON are read. Keys such as `__proto__` are data: nothing merges bodies into other objects. */
export function readJsonBodies(server: AdminServer): void {
  const parse = server.getDefaultJsonParser('ignore', 'ignore');
  server.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) => {
    // Many clients name the type of every call, also of a DELETE without a body.
    if (body === '') return done(null, undefined);
    if (!nestsTooDeep(body)) return parse(request, body, done);
    const message = `nests more than ${MAX_JSON_DEPTH} levels deep`;
    return done(invalidRequest([{ path: 'body', message }]), undefined);
  });
}
