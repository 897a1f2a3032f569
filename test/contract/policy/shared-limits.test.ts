import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { waitFor } from '../../../src/local/processes/wait.js';
import { COMPLETION, type Gateway, startGateway } from '../../support/gateway.js';
import { limitedGateway } from '../../support/limited-gateway.js';
import { MIXED_ENDPOINTS, MIXED_PRICE, mixedReply, sendMixed } from '../../support/mixed-traffic.js';
import { ControlledStream, jsonReply } from '../../support/replies.js';
import { expectSettled } from '../../support/settled.js';
import { missingPrograms } from '../../support/start-sluice.js';
import { POLICY_ROWS, policyRows } from '../../support/suites/policy-rows.js';

const REQUESTS = 40;
/** A tenth. */
const SLICE = 4;
const EVENT = 'data: {"id":"a","choices":[{"index":0,"delta":{"content":"half of it"}}]}\n\n';

describe.skipIf(missingPrograms !== null)('two engines on one MongoDB', () => {
  let one: Gateway;
  let two: Gateway;
  beforeAll(async () => {
    const { providers, settings } = limitedGateway(
      [
        { per: 'metadata.requests', requests: REQUESTS, window: 'month', shared: true },
        { per: 'metadata.settled', cost_usd: 1_000, window: 'month', shared: true },
        { per: 'metadata.settled', tokens: 1e9, window: 'month', shared: true },
        { per: 'metadata.settled', requests: 1e6, window: 'month', shared: true },
        { per: 'metadata.settled', concurrent: 1_000, shared: true },
        { per: 'metadata.concurrent', concurrent: 2, shared: true },
        { per: 'metadata.local', requests: 3, window: 'month' },
        ...POLICY_ROWS.limits,
      ],
      {
        endpoints: [...MIXED_ENDPOINTS, ...POLICY_ROWS.endpoints],
        provider: { prices: { large: MIXED_PRICE, small: MIXED_PRICE } },
      },
    );
    const options = {
      settings,
      providers: (url: string) => ({ ...providers!(url), ...POLICY_ROWS.providers(url) }),
    };
    one = await startGateway(options);
    const { mongodbUri } = one.sluice;
    two = await startGateway({ ...options, provider: one.provider, start: { mongodbUri } });
  });
  afterAll(async () => {
    await two?.sluice.stop();
    await one?.stop();
  });

  /** So many requests, so many at a time, through both in turns: how many went through. */
  async function send(metadata: object, count: number, atOnce: number): Promise<number> {
    let next = 0;
    let passed = 0;
    const worker = async () => {
      while (next < count) {
        const { status } = await (next++ % 2 === 0 ? one : two).ask({ metadata });
        if (status === 200) passed++;
        else expect(status).toBe(429);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, worker));
    return passed;
  }

  it('let as many requests pass as one engine would, over 64 connections, apart from one slice for each at most', async () => {
    const passed = await send({ requests: 'burst' }, 400, 64);
    expect(passed).toBeGreaterThanOrEqual(REQUESTS);
    expect(passed).toBeLessThanOrEqual(REQUESTS + 2 * SLICE);
  });

  it('leave all of a limit to the engine that gets the requests', async () => {
    const metadata = { requests: 'one-sided' };
    let passed = 0;
    // It may refuse one while it asks for more, and never for good.
    await waitFor(
      'all of it is used',
      async () => {
        if ((await one.ask({ metadata })).status === 200) passed++;
        return passed === REQUESTS;
      },
      { timeoutMs: 40_000, intervalMs: 5 },
    );
    await waitFor('the other one knows', async () => (await two.ask({ metadata })).status === 429, {
      timeoutMs: 10_000,
    });
  });

  it('agree to the cent: requests of all kinds, from clients of each API, through both', async () => {
    one.provider.always(mixedReply);
    const metadata = { settled: 'mixed' };
    const { sent, costs } = await sendMixed([one, two], metadata, { count: 256, atOnce: 16 });
    one.provider.always(jsonReply(COMPLETION));
    await expectSettled(one, 'metadata.settled', sent, costs);
  });

  policyRows(() => [one, two]);

  it('share a limit on concurrency, whose places are freed when an engine is killed', async () => {
    one.provider.always(jsonReply(COMPLETION));
    const metadata = { concurrent: 'streams' };
    const open = async (gateway: Gateway) => {
      const stream = new ControlledStream();
      one.provider.enqueue(stream.reply());
      const begun = stream.send(EVENT).then(() => true);
      // In the milliseconds until its lease comes, an engine has a slice, which is one request.
      await waitFor(
        'the stream is open',
        () => {
          const answered = gateway.open({ metadata, stream: true }).then(({ status }) => status === 200);
          return Promise.race([begun, answered]);
        },
        { timeoutMs: 20_000, intervalMs: 50 },
      );
      return stream;
    };
    await open(two);
    const second = await open(two);
    await waitFor('the other one knows', async () => (await one.ask({ metadata })).status === 429, {
      timeoutMs: 10_000,
    });
    await second.end();
    await waitFor('one is free', async () => (await one.ask({ metadata })).status === 200, {
      timeoutMs: 10_000,
    });
  });

  it('still know their limits after kill -9, both shared and unshared ones', async () => {
    const local = { local: 'crash' };
    const shared = { requests: 'crash' };
    for (let i = 0; i < 3; i++) expect((await two.ask({ metadata: local })).status).toBe(200);
    expect((await two.ask({ metadata: local })).status).toBe(429);
    let before = 0;
    // An engine may refuse one while it asks for more.
    await waitFor(
      'half of it is used',
      async () => {
        before += await send(shared, 2, 1);
        return before >= REQUESTS / 2;
      },
      { timeoutMs: 10_000, intervalMs: 5 },
    );
    await two.sluice.engine.kill();
    await two.sluice.engine.start();
    await two.sluice.waitUntilReady();
    await waitFor(
      'it knows what it counted',
      async () => (await two.ask({ metadata: local })).status === 429,
      {
        timeoutMs: 10_000,
      },
    );
    // What it took ahead and did not use is free again: nothing is lost, and nothing is counted that nobody used.
    const passed = await waitFor(
      'all of it can be used',
      async () => {
        total += await send(shared, 4, 1);
        return total >= REQUESTS - before ? total : undefined;
      },
      { timeoutMs: 25_000, intervalMs: 200 },
    );
    expect(passed).toBeLessThanOrEqual(REQUESTS - before + 3 * SLICE);
  });
  let total = 0;
});
