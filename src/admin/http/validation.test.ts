import Fastify from 'fastify';
import { describe, expect, it, vi } from 'vitest';
import { checkCalls } from './validation.js';

/** A schema that counts how often it is read, which is what compiling does. */
function watched(): { schema: object; reads: () => number } {
  let reads = 0;
  const schema = {
    type: 'object',
    get properties() {
      reads++;
      return { name: { type: 'string' } };
    },
  };
  return { schema, reads: () => reads };
}

describe('the checks of calls', () => {
  it('are compiled soon after the start, before any call', async () => {
    const server = Fastify();
    checkCalls(server, 1);
    const { schema, reads } = watched();
    server.post('/', { schema: { body: schema } }, async () => 'done');
    await server.ready();
    const before = reads();
    await server.listen({ host: '127.0.0.1', port: 0 });
    await vi.waitFor(() => expect(reads()).toBeGreaterThan(before));
    const compiled = reads();
    const answer = await server.inject({ method: 'POST', url: '/', payload: { name: 'a' } });
    expect([answer.statusCode, reads()]).toEqual([200, compiled]);
    await server.close();
  });
});
