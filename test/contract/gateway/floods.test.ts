import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { waitFor } from '../../../src/local/processes/wait.js';
import { CHAT_PATH, type Gateway, KEYS, OTHER_PROJECT, startGateway } from '../../support/gateway.js';
import { openStreams } from '../../support/open-streams.js';
import { connectionWindow, RawHttp2 } from '../../support/raw-http2.js';
import { missingPrograms } from '../../support/start-sluice.js';

/** More than Envoy keeps for a connection before it takes the peer for an attacker. */
const FRAMES = 11_000;
const FRAME_BYTES = 10;
const ATTACKERS = 3;
const STREAMS = 6;

const head = (path: string, key: string) => ({
  ':method': 'POST',
  ':scheme': 'http',
  ':authority': 'gateway',
  ':path': path,
  authorization: `Bearer ${key}`,
  'content-type': 'application/json',
});

describe.skipIf(missingPrograms !== null)('a request in frames of one byte', () => {
  let gateway: Gateway;
  beforeAll(async () => {
    gateway = await startGateway();
  });
  afterAll(() => gateway?.stop());
  beforeEach(() => gateway.provider.reset());

  const ofOther = CHAT_PATH.replace(/^\/[^/]+/, `/${OTHER_PROJECT}`);
  // A body whose length is told is short: it is put together before the engine gets it.
  const told = { 'content-length': String(FRAMES) };
  it.each([
    ['no valid key', CHAT_PATH, 'sk-none', {}],
    ['no valid key, its length told', CHAT_PATH, 'sk-none', told],
    ['the key of another project', ofOther, KEYS.other, {}],
    ['the key of another project, its length told', ofOther, KEYS.other, told],
  ])('does not harm other requests (%s)', async (_whose, path, key, length) => {
    const { engine, envoy } = gateway.sluice;
    const pids = [engine.pid, envoy.pid];
    const streams = await openStreams(gateway, STREAMS, ['support', 'chain']);
    const before = await bytesRead(gateway);
    const attackers = await Promise.all(
      Array.from({ length: ATTACKERS }, async () => {
        const client = await RawHttp2.connect(gateway.sluice.gatewayUrl);
        await client.body(client.open({ ...head(path, key), ...length }), Buffer.alloc(FRAMES, 'x'), {
          end: true,
        });
        return client;
      }),
    );
    const flood = async () => (await bytesRead(gateway)) - before >= ATTACKERS * FRAMES * FRAME_BYTES;
    await waitFor('Envoy has read the flood', flood, { timeoutMs: 20_000 });
    await streams.send('more');
    expect(await streams.finish()).toBe(STREAMS);
    for (const attacker of attackers) attacker.close();
    expect([engine.pid, envoy.pid]).toEqual(pids);
    expect(await engineConnectionsLost(gateway)).toBe(0);
  });

  it('may be at most 65,535 bytes ahead of what Envoy has read of its connection', async () => {
    expect(await connectionWindow(gateway.sluice.gatewayUrl)).toBe(65_535);
  });
});

function bytesRead(gateway: Gateway): Promise<number> {
  return sum(gateway, '^http\\.gateway\\.downstream_cx_rx_bytes_total$');
}

/** Connections to the engine that Envoy has broken off. */
function engineConnectionsLost(gateway: Gateway): Promise<number> {
  return sum(gateway, '^cluster\\.engine(-attempts)?\\.upstream_cx_destroy_with_active_rq$');
}

async function sum(gateway: Gateway, statistics: string): Promise<number> {
  const found = await gateway.sluice.envoyAdmin.stats(statistics);
  return [...found.values()].reduce((total, count) => total + count, 0);
}
