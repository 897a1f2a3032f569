import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { waitFor } from '../../../src/local/processes/wait.js';
import { type Gateway, gatewayConfig, PROJECT, startGateway } from '../../support/gateway.js';
import { limitedGateway } from '../../support/limited-gateway.js';
import { missingPrograms } from '../../support/start-sluice.js';

const REQUESTS = 40;
const FEW = 20;
/** A tenth, for each worker. */
const OVER = 2 * 4;

describe.skipIf(missingPrograms !== null)('limits of an engine with two workers', () => {
  let gateway: Gateway;
  const { providers, settings } = limitedGateway([
    { per: 'metadata.user', requests: REQUESTS, window: 'month' },
    { per: 'metadata.few', requests: FEW, window: 'month' },
  ]);
  const withWorkers = (workers: number) => ({ providers, settings: { ...settings, engine: { workers } } });
  beforeAll(async () => {
    gateway = await startGateway(withWorkers(2));
  });
  afterAll(() => gateway?.stop());

  /** As an operator does it: a changed number of workers needs a restart of both. */
  async function restartWith(workers: number): Promise<void> {
    const { sluice, provider } = gateway;
    await sluice.drain();
    await sluice.writeConfig(JSON.stringify(gatewayConfig(provider.baseUrl, withWorkers(workers))));
    await sluice.engine.start();
    await sluice.envoy.start();
    await sluice.waitUntilReady();
  }

  it('are counted by both together, over 64 connections, and shown as those of one engine', async () => {
    const metadata = { user: 'ann' };
    let passed = 0;
    const ask = async () => {
      const { status } = await gateway.ask({ metadata });
      if (status === 200) passed++;
      return status;
    };
    await Promise.all(
      Array.from({ length: 64 }, async () => {
        for (let count = 0; count < 5; count++) await ask();
      }),
    );
    await waitFor('all of it is used', async () => (await ask()) === 429 && passed >= REQUESTS, {
      timeoutMs: 20_000,
    });
    expect(passed).toBeLessThanOrEqual(REQUESTS + OVER);
    const limits = await waitFor(
      'its logs have landed',
      async () => {
        const { json } = await gateway.admin('GET', `/${PROJECT}/limits`);
        return json.data[0]?.used === passed && json.data;
      },
      { timeoutMs: 20_000 },
    );
    expect(limits).toHaveLength(1);
  });

  it('continue where they were when the engine runs as one process instead', async () => {
    const ask = async () => (await gateway.ask({ metadata: { few: 'ann' } })).status;
    const pass = async (count: number) => {
      for (let passed = 0; passed < count; ) if ((await ask()) === 200) passed++;
    };
    await pass(5);
    await restartWith(1);
    await pass(1);
    const metric = /sluice_limit_used_ratio\{.*per="metadata\.few".*\} ([\d.]+)/;
    await waitFor(
      'one process knows what two have used',
      async () => {
        const text = await (await fetch(`${gateway.sluice.adminUrl}/metrics`)).text();
        return Number(metric.exec(text)?.[1]) === 6 / FEW;
      },
      { timeoutMs: 10_000 },
    );
  });
});
