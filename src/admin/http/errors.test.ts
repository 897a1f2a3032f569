import { fastify } from 'fastify';
import { expect, it } from 'vitest';
import { SluiceError } from '../../core/errors.js';
import { createErrorHandler } from './errors.js';

it('reports an outage of the storage once in ten seconds, however many calls fail', async () => {
  const told: string[] = [];
  const tell = (_fields: object, message: string) => void told.push(message);
  let now = 0;
  const clock = { now: () => now, monotonic: () => now };
  const server = fastify();
  server.setErrorHandler(
    createErrorHandler({ debug: () => undefined, info: tell, warn: tell, error: tell }, clock),
  );
  server.get('/', async () => {
    throw new SluiceError('storage_unavailable', 'The storage is away.');
  });
  const call = async () => (await server.inject('/')).statusCode;
  expect([await call(), await call(), await call()]).toEqual([503, 503, 503]);
  expect(told).toHaveLength(1);
  now = 10_000;
  await call();
  expect(told).toHaveLength(2);
});
