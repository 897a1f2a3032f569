import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { COMPLETION, type Gateway, startGateway } from '../support/gateway.js';
import { limitedGateway } from '../support/limited-gateway.js';
import {
  MIXED_ENDPOINTS,
  MIXED_PRICE,
  mixedReply,
  sendMixed,
  type Traffic,
} from '../support/mixed-traffic.js';
import { type OwnMongod, startOwnMongod } from '../support/mongod.js';
import { jsonReply } from '../support/replies.js';
import { expectSettled } from '../support/settled.js';
import { missingPrograms } from '../support/start-sluice.js';

const AT_ONCE = 32;

/*
 * Budgets of two engines on one MongoDB, over many requests of all kinds, while an engine or MongoDB is killed: what was
 * counted is what the logs say, and the logs say what was worked out by hand.
 */
describe.skipIf(missingPrograms !== null)('the budgets of two engines', () => {
  let mongod: OwnMongod;
  let one: Gateway;
  let two: Gateway;
  beforeAll(async () => {
    mongod = await startOwnMongod();
    const per = 'metadata.budget';
    const options = limitedGateway(
      [
        { per, cost_usd: 1e6, window: 'month', shared: true },
        { per, tokens: 1e12, window: 'month', shared: true },
        { per, requests: 1e9, window: 'month', shared: true },
        { per, concurrent: 10_000, shared: true },
      ],
      { endpoints: MIXED_ENDPOINTS, provider: { prices: { large: MIXED_PRICE, small: MIXED_PRICE } } },
    );
    one = await startGateway({ ...options, start: { mongodbUri: mongod.uri } });
    two = await startGateway({ ...options, provider: one.provider, start: { mongodbUri: mongod.uri } });
  });
  afterAll(async () => {
    await two?.sluice.stop();
    await one?.stop();
    await mongod?.stop();
  });
  beforeEach(() => one.provider.always(mixedReply));

  const settled = async (...parts: Traffic[]) => {
    one.provider.always(jsonReply(COMPLETION));
    const costs = new Map(parts.flatMap((part) => [...part.costs]));
    await expectSettled(
      one,
      'metadata.budget',
      parts.flatMap(({ sent }) => sent),
      costs,
    );
  };

  it('settle to the cent over 10,000 requests', async () => {
    const traffic = await sendMixed([one, two], { budget: 'calm' }, { count: 10_000, atOnce: AT_ONCE });
    expect(traffic.sent.every(({ id }) => id !== undefined)).toBe(true);
    await settled(traffic);
  });

  it('lose and keep nothing when mongod is killed meanwhile', async () => {
    const sending = sendMixed([one, two], { budget: 'mongod' }, { count: 2_000, atOnce: AT_ONCE });
    await one.provider.received();
    await mongod.kill();
    const during = await sendMixed([one, two], { budget: 'mongod' }, { count: 500, atOnce: AT_ONCE });
    await mongod.restart();
    const after = await sendMixed([one, two], { budget: 'mongod' }, { count: 200, atOnce: AT_ONCE });
    await settled(await sending, during, after);
  });

  it('lose and keep nothing when an engine is killed meanwhile', async () => {
    const budget = { budget: 'engine' };
    const sending = sendMixed([one, two], budget, { count: 2_000, atOnce: AT_ONCE, mayFail: true });
    await one.provider.received();
    const before = await sendMixed([two], budget, { count: 200, atOnce: AT_ONCE, mayFail: true });
    await two.sluice.engine.kill();
    await two.sluice.engine.start();
    await two.sluice.waitUntilReady();
    const killed = await sending;
    const after = await sendMixed([one, two], budget, { count: 200, atOnce: AT_ONCE });
    await settled(before, killed, after);
  });
});
