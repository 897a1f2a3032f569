import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { waitFor } from '../../../src/local/processes/wait.js';
import { type Gateway, PROJECT, startGateway } from '../../support/gateway.js';
import { limitedGateway } from '../../support/limited-gateway.js';
import { missingPrograms } from '../../support/start-sluice.js';

const REQUESTS = 40;
/** A tenth, for each worker. */
const OVER = 2 * 4;

describe.skipIf(missingPrograms !== null)('limits of an engine with two workers', () => {
  let gateway: Gateway;
  beforeAll(async () => {
    const { providers, settings } = limitedGateway([
      { per: 'metadata.user', requests: REQUESTS, window: 'month' },
    ]);
    gateway = await startGateway({ providers, settings: { ...settings, engine: { workers: 2 } } });
  });
  afterAll(() => gateway?.stop());

  it('are counted by both together, under 64 connections, and shown as those of one engine', async () => {
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
});
