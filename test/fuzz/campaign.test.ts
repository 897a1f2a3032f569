import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seedOfRun } from '../support/faults/seeded-random.js';
import { missingPrograms } from '../support/start-sluice.js';
import { Campaign } from './campaign.js';
import { HonestUser } from './honest-user.js';

const SECONDS = Number(process.env.FUZZ_SECONDS ?? 600);
/** By how much the honest client's p99 may grow. */
const P99_GROWTH_MS = Number(process.env.FUZZ_P99_MS ?? 100);

const seed = seedOfRun();

describe.skipIf(missingPrograms !== null)(`structured garbage (SEED=${seed}, ${SECONDS} s)`, () => {
  let campaign: Campaign;
  let honest: HonestUser;

  beforeAll(async () => {
    campaign = await Campaign.start(seed);
    honest = new HonestUser(campaign.gateway);
  });
  afterAll(async () => {
    honest?.stop();
    await campaign?.stop();
  });

  it('harms neither engine nor Envoy, leaves no request without answer and log, and passes no guard', async () => {
    const { engine, envoy } = campaign.gateway.sluice;
    const pids = [engine.pid, envoy.pid];
    const before = await honest.measure(Math.min(30, Math.max(2, SECONDS / 10)) * 1000);
    honest.clear();
    const end = performance.now() + SECONDS * 1000;
    const { sent, ids, problems } = await campaign.run(() => performance.now() < end);
    const during = honest.figures();
    console.log(JSON.stringify({ sent, logs: ids.size, honest: { before, during } }));
    expect(problems).toEqual([]);
    expect([engine.running, envoy.running, engine.pid, envoy.pid]).toEqual([true, true, ...pids]);
    await campaign.waitForLogs(ids);
    expect(during.failed).toBe(0);
    expect(during.p99 - before.p99).toBeLessThan(P99_GROWTH_MS);
  });
});
