import { expect, it } from 'vitest';
import { Health, type HealthSources } from './health.js';

const SOURCES: HealthSources = {
  pings: { mongodb: () => Promise.resolve() },
  directory: { state: () => ({ origin: 'store' }) },
  engine: { ready: true },
  dataFolder: '/nowhere',
  env: {},
};

async function report(changes: Partial<HealthSources> = {}) {
  const health = new Health({ ...SOURCES, ...changes });
  health.started = true;
  return health.report();
}

it.each([
  ['answers', () => Promise.resolve(), 'ready'],
  ['is away', () => Promise.reject(new Error('away')), 'degraded'],
  ['stalls', () => new Promise<void>(() => {}), 'degraded'],
])('is ready where MongoDB %s', async (_case, ping, mongodb) => {
  expect(await report({ pings: { mongodb: ping } })).toEqual({
    ready: true,
    parts: { engine: 'ready', directory: 'ready', mongodb },
  });
});

it('is ready where the directory may be old, and says for how long', async () => {
  const state = () => ({ origin: 'store' as const, staleSince: Date.now() - 42_000 });
  expect(await report({ directory: { state } })).toEqual({
    ready: true,
    parts: { engine: 'ready', directory: 'degraded', mongodb: 'ready' },
    details: { directory: 'may be out of date: it could not be read for 42 s' },
  });
});

it('is not ready while the engine ends, or before anything of the directory is known', async () => {
  expect((await report({ engine: { ready: false } })).ready).toBe(false);
  expect((await report({ directory: { state: () => ({ origin: 'nowhere' }) } })).ready).toBe(false);
});

it('reports the parts that an admin service has, and no Envoy', async () => {
  expect(await report({ engine: undefined, env: { SLUICE_WITH_ENVOY: '1' } })).toEqual({
    ready: true,
    parts: { admin: 'ready', directory: 'ready', mongodb: 'ready' },
  });
});
