import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Campaign } from '../../fuzz/campaign.js';
import { seedOfRun } from '../../support/faults/seeded-random.js';
import { missingPrograms } from '../../support/start-sluice.js';

/** `npm run test:fuzz` sends for ten minutes. */
const REQUESTS = 200;

const seed = seedOfRun();

describe.skipIf(missingPrograms !== null)(`${REQUESTS} requests of structured garbage (SEED=${seed})`, () => {
  let campaign: Campaign;

  beforeAll(async () => {
    campaign = await Campaign.start(seed);
  });
  afterAll(() => campaign?.stop());

  it('harm neither engine nor Envoy, each get an answer and a log, and pass no guard', async () => {
    const { engine, envoy } = campaign.gateway.sluice;
    const pids = [engine.pid, envoy.pid];
    const { ids, problems } = await campaign.run((sent) => sent < REQUESTS);
    expect(problems).toEqual([]);
    expect([engine.running, envoy.running, engine.pid, envoy.pid]).toEqual([true, true, ...pids]);
    await campaign.waitForLogs(ids);
  });
});
