import { overBound, scanBounds } from '../../core/json-scan.js';
import { heavyWork } from '../../core/pacing/heavy-work.js';
import type { AdminServer } from '../admin-server.js';
import type { AdminDependencies } from '../dependencies.js';
import { invalidRequest } from './errors.js';

/** How JSON bodies are read. Keys such as `__proto__` are data: bodies are never merged into other objects. */
export function readJsonBodies(server: AdminServer, limits: AdminDependencies['limits']): void {
  const parse = server.getDefaultJsonParser('ignore', 'ignore');
  server.removeContentTypeParser('text/plain');
  server.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) => {
    // Many clients send a content type with every call, even with a DELETE without a body.
    if (body === '') return done(null, undefined);
    const read = () => {
      const { body_values: maxValues } = limits();
      const bound = scanBounds(body, maxValues);
      if (bound === undefined) return parse(request, body, done);
      return done(invalidRequest([{ path: 'body', message: overBound(bound, maxValues) }]), undefined);
    };
    const turn = heavyWork.turn(body.length);
    if (turn === undefined) return read();
    turn.then(read, done);
  });
}
