import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startFakeProvider } from '../support/fake-provider.js';
import { notKept, untilKept } from '../support/faults/kept.js';
import { type Given, Load } from '../support/faults/load.js';
import { pacedModel } from '../support/faults/paced-model.js';
import { between, seededRandom, seedOfRun } from '../support/faults/seeded-random.js';
import { CREDENTIAL, Gateway, gatewayConfig } from '../support/gateway.js';
import { startOwnMongod } from '../support/mongod.js';
import { missingPrograms, type Sluice, startSluice } from '../support/start-sluice.js';

const ROUNDS = 10;
const CLIENTS = 8;
/** The admin service is killed within this time from the first answer on: before, in or after a batch. */
const MOMENT_MS = 3_000;
const AFTERWARDS = 10;
const ENVIRONMENT = { FAKE_KEY: CREDENTIAL, ENGINE_KEY: 'engines-alone' };

const seed = seedOfRun();

describe.skipIf(missingPrograms !== null)(`logs that go through an admin service (SEED=${seed})`, () => {
  const random = seededRandom(seed);
  const all: Given = { answers: new Map(), feedback: new Map() };
  const cleanups: (() => unknown)[] = [];
  let admin: Sluice;
  let gateway: Gateway;

  beforeAll(async () => {
    console.log(`faults with SEED=${seed}`);
    const mongod = await startOwnMongod();
    cleanups.push(() => mongod.stop());
    const provider = await startFakeProvider();
    provider.always(pacedModel);
    cleanups.push(() => provider.stop());
    const start = async (role: 'admin' | 'engine', settings: object, environment = {}) => {
      const sluice = await startSluice({
        config: JSON.stringify(gatewayConfig(provider.baseUrl, { settings: { ...settings } })),
        environment: { ...ENVIRONMENT, ...environment },
        mongodbUri: mongod.uri,
        role,
        envoy: role === 'engine',
      });
      cleanups.push(() => sluice.stop());
      return sluice;
    };
    admin = await start('admin', { directory: { key_env: 'ENGINE_KEY' } });
    const { adminUrl } = admin;
    const engine = await start(
      'engine',
      { directory: { from: adminUrl, key_env: 'ENGINE_KEY' }, logs: { to: adminUrl } },
      { SLUICE_ADMIN_URL: adminUrl },
    );
    gateway = new Gateway(engine, provider);
  });
  afterAll(async () => {
    for (const cleanup of cleanups.reverse()) await cleanup();
  });

  for (let round = 1; round <= ROUNDS; round++) {
    it(`land exactly once when it is killed under load, round ${round}`, async () => {
      const load = new Load(gateway, CLIENTS);
      try {
        await load.moreAnswers(1);
        await sleep(between(random, 0, MOMENT_MS));
        await admin.engine.kill();
        await load.moreAnswers(between(random, 1, 50));
        await admin.engine.start();
        await Promise.all([load.moreAnswers(AFTERWARDS), load.moreFeedback(AFTERWARDS)]);
      } finally {
        await load.stop();
      }
      expect(load.counts.refused + load.counts.broken).toBe(0);
      await untilKept(admin, load.given);
      for (const [request, log] of load.given.answers) all.answers.set(request, log);
      for (const [log, feedback] of load.given.feedback) all.feedback.set(log, feedback);
    });
  }

  it('are all there, exactly once, at the end', async () => {
    expect(all.answers.size).toBeGreaterThan(0);
    expect(await notKept(admin, all)).toEqual([]);
  });
});
