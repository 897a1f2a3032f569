import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DRAINED_FILE } from '../../../src/envoy/names.js';
import { mainPath } from '../../../src/local/parts/engine.js';
import { runProgram } from '../../../src/local/processes/run-program.js';
import { openSpool } from '../../../src/spool/spool.js';
import { chunk } from '../../support/chat.js';
import { type FakeProvider, startFakeProvider } from '../../support/fake-provider.js';
import { COMPLETION, Gateway, gatewayConfig, KEYS, PROJECT } from '../../support/gateway.js';
import { logRecord } from '../../support/log-record.js';
import { ControlledStream, jsonReply } from '../../support/replies.js';
import { silentLogger } from '../../support/silent-logger.js';
import { missingPrograms, type Sluice, startSluice } from '../../support/start-sluice.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

describe.skipIf(missingPrograms)('an engine and an admin service of their own', () => {
  let provider: FakeProvider;
  let admin: Sluice;
  let gateway: Gateway;

  beforeAll(async () => {
    provider = await startFakeProvider();
    const config = JSON.stringify(gatewayConfig(provider.baseUrl));
    const environment = { FAKE_KEY: 'secret' };
    admin = await startSluice({ config, environment, role: 'admin', envoy: false });
    const engine = await startSluice({
      config,
      environment: { ...environment, SLUICE_ADMIN_URL: admin.adminUrl },
      role: 'engine',
      mongodbUri: admin.mongodbUri,
    });
    gateway = new Gateway(engine, provider);
    provider.always(jsonReply(COMPLETION));
  });

  afterAll(async () => {
    await gateway?.stop();
    await admin?.stop();
  });

  const get = async (url: string) => {
    const response = await fetch(url);
    return { status: response.status, text: await response.text() };
  };

  it('serve a request, and the feedback on it, through one base URL', async () => {
    const { id, status } = await gateway.ask();
    expect(status).toBe(200);
    const given = await gateway.call('POST', `/${PROJECT}/feedback/${id}`, {
      key: KEYS.feedback,
      body: { score: 1, weight: 1 },
    });
    expect(given.status).toBe(200);
    await expect
      .poll(async () => {
        const headers = { authorization: `Bearer ${KEYS.all}` };
        return (await fetch(`${admin.adminUrl}/${PROJECT}/logs/${id}`, { headers })).json();
      })
      .toMatchObject({ _id: id, feedback_count: 1 });
  });

  it('each report their own health', async () => {
    const parts = async (url: string) => JSON.parse((await get(`${url}/healthz/ready`)).text).parts;
    expect(await parts(gateway.sluice.adminUrl)).toEqual({
      engine: 'ready',
      directory: 'ready',
      mongodb: 'ready',
      envoy: 'ready',
    });
    expect(await parts(admin.adminUrl)).toEqual({ admin: 'ready', directory: 'ready', mongodb: 'ready' });
    expect((await get(`${gateway.sluice.adminUrl}/healthz/live`)).status).toBe(200);
  });

  it('each have metrics of their own work', async () => {
    const metrics = async (url: string) => (await get(`${url}/metrics`)).text;
    // A request is over when Envoy says so, a little after its answer.
    await expect.poll(() => metrics(gateway.sluice.adminUrl)).toMatch(/^sluice_requests_in_flight 0$/m);
    const engine = await metrics(gateway.sluice.adminUrl);
    expect(engine).toMatch(/^sluice_spool_records /m);
    expect(engine).not.toMatch(/^sluice_feedback_orphans /m);
    const administration = await metrics(admin.adminUrl);
    expect(administration).toMatch(/^sluice_feedback_orphans /m);
    expect(administration).not.toMatch(/^sluice_spool_records /m);
  });

  it('have the admin API only at the admin service, and the engine says so', async () => {
    const headers = { authorization: `Bearer ${admin.adminKey}` };
    expect((await fetch(`${admin.adminUrl}/api/projects`, { headers })).status).toBe(200);
    const refused = await fetch(`${gateway.sluice.adminUrl}/api/projects`, { headers });
    expect(refused.status).toBe(404);
    expect(await refused.text()).toContain('The admin API runs in another process.');
  });

  it('share an endpoint: the engine serves it once the admin service made it', async () => {
    const made = await fetch(`${admin.adminUrl}/api/projects/${PROJECT}/endpoints`, {
      method: 'POST',
      headers: { authorization: `Bearer ${admin.adminKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'new', models: [{ provider: 'fake', model: 'large' }] }),
    });
    expect(made.status).toBe(201);
    await expect.poll(async () => (await gateway.ask({ model: 'new' })).status).toBe(200);
  });

  it('answer requests without the admin service, and feedback with 503', async () => {
    expect((await admin.engine.stop()).code).toBe(0);
    const { status, id } = await gateway.ask();
    expect(status).toBe(200);
    const given = await gateway.call('POST', `/${PROJECT}/feedback/${id}`, { body: { score: 1, weight: 1 } });
    expect([given.status, given.json.error.code]).toEqual([503, 'engine_unavailable']);
    await admin.engine.start();
  });

  it('are drained by a command that waits for the requests in progress', async () => {
    const stream = new ControlledStream();
    provider.enqueue(stream.reply());
    const opening = gateway.open({ stream: true });
    await stream.send(chunk({ content: 'On ' }));
    const answer = await opening;
    const environment = { ...process.env, SLUICE_DATA_DIR: gateway.sluice.dataFolder };
    const drained = join(gateway.sluice.dataFolder, DRAINED_FILE);
    let done = false;
    const draining = runProgram(process.execPath, [mainPath, 'drain'], { environment }).finally(() => {
      done = true;
    });
    // Envoy refuses new connections once the command is at work.
    await expect
      .poll(() =>
        fetch(gateway.sluice.gatewayUrl, { headers: { connection: 'close' } }).then(
          () => 'open',
          () => 'closed',
        ),
      )
      .toBe('closed');
    expect([done, existsSync(drained)]).toEqual([false, false]);
    await stream.send(`${chunk({ content: 'its way.' })}${chunk({}, 'stop')}data: [DONE]\n\n`);
    stream.end();
    expect(await answer.text()).toContain('its way.');
    expect((await draining).code).toBe(0);
    expect(existsSync(drained)).toBe(true);
    await gateway.sluice.envoy.stop();
    expect((await gateway.sluice.engine.stop()).code).toBe(0);
  });

  it('leave spools, which a command brings to MongoDB', async () => {
    const directory = await temporaryFolder();
    const settings = { max_bytes: 1 << 20, sync_ms: 1, on_full: 'lose' as const };
    const spool = await openSpool({ folder: directory, worker: 'engine', settings, logger: silentLogger });
    const records = [logRecord({ project_uid: PROJECT }), logRecord({ project_uid: PROJECT })];
    for (const record of records) await spool.append(record);
    await spool.close();
    const ship = () =>
      runProgram(process.execPath, [mainPath, 'logs', 'ship', '--spool', directory], {
        environment: { ...process.env, MONGODB_URI: admin.mongodbUri },
      });
    const shipped = await ship();
    expect([shipped.code, JSON.parse(shipped.stdout)]).toEqual([
      0,
      { done: true, written: 2, dead_letters: 0, lost: 0 },
    ]);
    const ids = records.map(({ _id }) => _id);
    const logs = admin.database.collection<{ _id: string }>('logs');
    expect(await logs.countDocuments({ _id: { $in: ids } })).toBe(2);
    expect(JSON.parse((await ship()).stdout)).toMatchObject({ done: true, written: 0 });
  });
});
