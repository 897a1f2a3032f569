import { expect, it } from 'vitest';
import type { LiveDirectory } from '../directory/directory.js';
import type { Store } from '../store/store.js';
import { Health } from './health.js';

const directory = { state: () => ({ origin: 'store', degraded: false }) } as LiveDirectory;

it.each([
  ['answers', () => Promise.resolve(), 'ready'],
  ['is away', () => Promise.reject(new Error('away')), 'degraded'],
  ['stalls', () => new Promise<void>(() => {}), 'degraded'],
])('is ready where MongoDB %s', async (_case, ping, mongodb) => {
  const health = new Health({ ping } as Store, directory, '/nowhere', {});
  health.engineReady = true;
  expect(await health.report()).toEqual({
    ready: true,
    parts: { engine: 'ready', directory: 'ready', mongodb },
  });
});
