import Fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { compileValidator } from './validation.js';

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

describe('the schema of a call', () => {
  it('is compiled with the first call, and once', async () => {
    const server = Fastify();
    server.setValidatorCompiler(compileValidator);
    const { schema, reads } = watched();
    server.post('/', { schema: { body: schema } }, async () => 'done');
    await server.ready();
    const before = reads();
    const call = async (payload: object) =>
      (await server.inject({ method: 'POST', url: '/', payload })).statusCode;
    expect(await call({ name: 'a' })).toBe(200);
    const compiled = reads();
    expect(compiled).toBeGreaterThan(before);
    expect([await call({ name: 'b' }), reads()]).toEqual([200, compiled]);
    expect(await call({ name: 1 })).toBe(400);
    await server.close();
  });
});
