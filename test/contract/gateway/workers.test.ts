import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findingsOf } from '../../../src/commands/doctor.js';
import { reservePort } from '../../../src/local/ports.js';
import { waitFor } from '../../../src/local/processes/wait.js';
import { COMPLETION, type Gateway, gatewayConfig, startGateway } from '../../support/gateway.js';
import { openStreams } from '../../support/open-streams.js';
import { jsonReply } from '../../support/replies.js';
import { missingPrograms } from '../../support/start-sluice.js';
import { partStates, requestsByWorker, workerPids } from '../../support/workers.js';

const SCHEMA = {
  type: 'json_schema',
  json_schema: { name: 'a', schema: { type: 'object', required: ['answer'] } },
};
const said = (content: string) => ({
  ...COMPLETION,
  choices: [{ ...COMPLETION.choices[0], message: { role: 'assistant', content, refusal: null } }],
});

describe.skipIf(missingPrograms !== null)('an engine of two workers', () => {
  let gateway: Gateway;
  const nobody: { release(): void | Promise<void> }[] = [];
  const settings = { engine: { workers: 2 } };

  async function start(): Promise<Gateway> {
    const closed = await reservePort();
    nobody.push(closed);
    return startGateway({
      settings,
      providers: () => ({ away: { api: 'openai', base_url: `http://127.0.0.1:${closed.port}/v1` } }),
      endpoints: [
        {
          name: 'checked',
          models: ['first', 'second'].map((model) => ({ provider: 'fake', model })),
          json_validation: true,
        },
        {
          name: 'unconnected',
          models: [
            { provider: 'away', model: 'a' },
            { provider: 'fake', model: 'b' },
          ],
        },
      ],
    });
  }

  beforeAll(async () => {
    gateway = await start();
  });
  afterAll(async () => {
    await gateway?.stop();
    for (const port of nobody) await port.release();
  });

  it('is ready when both are, and reports each', async () => {
    expect(await partStates(gateway)).toMatchObject({
      engine: 'ready',
      'worker-1': 'ready',
      'worker-2': 'ready',
    });
  });

  it('serves with both, on either route, with one log for each request', async () => {
    gateway.provider.always(jsonReply(COMPLETION));
    const ask = (model: string) => gateway.ask({ model });
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_none, index) => ask(index % 2 === 0 ? 'support' : 'chain')),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    // The main process leaves out a worker that is slow to tell its own.
    await expect
      .poll(async () => {
        const counts = await requestsByWorker(gateway);
        return [[...counts.keys()].sort(), [...counts.values()].reduce((sum, count) => sum + count, 0)];
      })
      .toEqual([['1', '2'], 60]);
    await waitFor('all logs land', async () => (await gateway.logCount()) === 60, { timeoutMs: 20_000 });
  });

  it('sends all tries of a request to the worker that accepted it', async () => {
    gateway.provider.always((response, request) => {
      const reply = said(request.json().model === 'first' ? 'no JSON' : '{"answer":1}');
      return jsonReply(reply)(response, request);
    });
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => gateway.ask({ model: 'checked', response_format: SCHEMA })),
    );
    expect(answers.map(({ status, headers }) => [status, headers.get('x-sluice-attempts')])).toEqual(
      answers.map(() => [200, '2']),
    );
  });

  it('hears of a try that got no connection, whichever worker made it', async () => {
    gateway.provider.always(jsonReply(COMPLETION));
    const answers = await Promise.all(Array.from({ length: 8 }, () => gateway.ask({ model: 'unconnected' })));
    for (const { id, status } of answers) {
      expect(status).toBe(200);
      const { attempts } = await gateway.log(id);
      // One that failed often is left out of later chains.
      if (attempts.length === 2) expect(attempts[0]).toMatchObject({ provider: 'away', status: 'connect' });
    }
  });

  it('loads a changed file in both', async () => {
    const config = gatewayConfig(gateway.provider.baseUrl, {
      settings,
      endpoints: [{ name: 'extra', models: [{ provider: 'fake', model: 'large' }] }],
    });
    await gateway.sluice.writeConfig(JSON.stringify(config));
    await waitFor(
      'the endpoint is there in both',
      async () => {
        const answers = await Promise.all(Array.from({ length: 12 }, () => gateway.ask({ model: 'extra' })));
        return answers.every(({ status }) => status === 200);
      },
      { timeoutMs: 20_000 },
    );
  });

  it('is healthy for `sluice doctor`', async () => {
    const { adminUrl, adminKey, dataFolder, mongodbUri } = gateway.sluice;
    const environment = {
      ...process.env,
      SLUICE_ADMIN_PORT: new URL(adminUrl).port,
      SLUICE_DATA_DIR: dataFolder,
      SLUICE_ADMIN_KEY: adminKey,
      MONGODB_URI: mongodbUri,
      FAKE_KEY: 'provider-secret',
    };
    const findings = await findingsOf(gateway.sluice.configPath, 'all', environment);
    const named = (name: string) => findings.find(({ check }) => check === name);
    for (const check of ['engine worker 1', 'engine worker 2', 'envoy workers', 'readiness']) {
      expect(named(check)).toMatchObject({ status: 'ok' });
    }
  });

  it('loses only the requests of a worker that dies, and restarts it', async () => {
    const streams = await openStreams(gateway, 12);
    const before = await workerPids(gateway);
    process.kill(before[0]!, 'SIGKILL');
    gateway.provider.always(jsonReply(COMPLETION));

    await waitFor(
      'the worker is there again',
      async () => {
        // Nobody who comes meanwhile is turned away.
        const { status } = await gateway.ask();
        expect(status).toBe(200);
        const pids = await workerPids(gateway);
        const { engine } = await partStates(gateway);
        return !pids.includes(before[0]!) && pids.length === 2 && engine === 'ready';
      },
      { timeoutMs: 30_000 },
    );
    const whole = await streams.finish();
    expect(whole).toBeGreaterThan(0);
    expect(whole).toBeLessThan(12);
  });

  it('brings to MongoDB the logs that a dead worker had written', async () => {
    const before = await gateway.logCount();
    const answers = await Promise.all(Array.from({ length: 20 }, () => gateway.ask()));
    for (const pid of await workerPids(gateway)) process.kill(pid, 'SIGKILL');
    for (const { id } of answers) await gateway.log(id, { timeoutMs: 60_000 });
    expect(await gateway.logCount()).toBeGreaterThanOrEqual(before + 20);
  });

  it('drains: running streams end whole, all logs land, no process is left', async () => {
    await waitFor('both serve', async () => (await partStates(gateway)).engine === 'ready', {
      timeoutMs: 30_000,
    });
    const streams = await openStreams(gateway, 10);
    const pids = await workerPids(gateway);
    const drained = gateway.sluice.drain();
    expect(await streams.finish()).toBe(10);
    expect(await drained).toMatchObject({ code: 0 });
    for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
    const { ids } = streams;
    const logs = gateway.sluice.database.collection('logs').find({ _id: { $in: ids as never[] } });
    expect((await logs.toArray()).map(({ status }) => status)).toEqual(ids.map(() => 'success'));
  });
});
