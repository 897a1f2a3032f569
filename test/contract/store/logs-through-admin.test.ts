import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Finding } from '../../../src/app/doctor/finding.js';
import { findingsOf } from '../../../src/commands/doctor.js';
import { Secret } from '../../../src/core/secret.js';
import { mainPath } from '../../../src/local/parts/engine.js';
import { runProgram } from '../../../src/local/processes/run-program.js';
import { type Entry, entryLogId } from '../../../src/spool/entry.js';
import { AdminDelivery } from '../../../src/spool/remote/admin-delivery.js';
import { landedLog, landedLogs } from '../../support/chat.js';
import { type FakeProvider, startFakeProvider } from '../../support/fake-provider.js';
import { COMPLETION, Gateway, gatewayConfig, KEYS, PROJECT } from '../../support/gateway.js';
import { logRecord } from '../../support/log-record.js';
import { type OwnMongod, startOwnMongod } from '../../support/mongod.js';
import { jsonReply } from '../../support/replies.js';
import { missingPrograms, type Sluice, startSluice } from '../../support/start-sluice.js';
import { partStates, requestsByWorker, workerPids } from '../../support/workers.js';

const ENGINE_KEY = 'engines-alone';
const ENVIRONMENT = { FAKE_KEY: 'secret', ENGINE_KEY };
const PATIENCE = { timeout: 30_000 };
const PLUGIN = `export default {
  name: 'tags_late',
  configSchema: {},
  log: () => ({ addTags: ['seen:late'] }),
};
`;

/** In place of a MongoDB that an engine has no business with. */
interface Trap {
  uri: string;
  connections(): number;
  close(): void;
}

async function openTrap(): Promise<Trap> {
  let connections = 0;
  const server: Server = createServer((socket) => {
    connections++;
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    uri: `mongodb://127.0.0.1:${port}/none`,
    connections: () => connections,
    close: () => server.close(),
  };
}

describe.skipIf(missingPrograms)('engines that bring their logs to an admin service', () => {
  let mongod: OwnMongod;
  let provider: FakeProvider;
  let admin: Sluice;
  let gateway: Gateway;
  let trap: Trap;
  let directory: string;
  let plugin: string;

  const configOf = (settings: object) =>
    JSON.stringify(
      gatewayConfig(provider.baseUrl, {
        endpoints: [
          {
            name: 'tagged',
            models: [{ provider: 'fake', model: 'large' }],
            plugins: [{ plugin: 'tags_late', phases: ['log'] }],
          },
        ],
        settings: { plugins: [plugin], directory: { key_env: 'ENGINE_KEY' }, ...settings },
      }),
    );
  const engineConfig = (settings: object = {}) =>
    configOf({
      directory: { from: admin.adminUrl, key_env: 'ENGINE_KEY' },
      logs: { to: admin.adminUrl },
      ...settings,
    });

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'sluice-test-'));
    plugin = join(directory, 'tags-late.mjs');
    await writeFile(plugin, PLUGIN);
    mongod = await startOwnMongod();
    trap = await openTrap();
    provider = await startFakeProvider();
    provider.always(jsonReply(COMPLETION));
    admin = await startSluice({
      config: configOf({}),
      environment: ENVIRONMENT,
      role: 'admin',
      envoy: false,
      mongodbUri: mongod.uri,
    });
    const engine = await startSluice({
      config: engineConfig(),
      environment: { ...ENVIRONMENT, SLUICE_ADMIN_URL: admin.adminUrl },
      role: 'engine',
      mongodbUri: trap.uri,
    });
    gateway = new Gateway(engine, provider);
  });

  afterAll(async () => {
    await gateway?.stop();
    await admin?.stop();
    await mongod?.stop();
    trap?.close();
    if (directory !== undefined) await rm(directory, { recursive: true });
  });

  const read = async (path: string) => {
    const answer = await fetch(`${admin.adminUrl}/${PROJECT}/${path}`, {
      headers: { authorization: `Bearer ${KEYS.all}` },
    });
    return (await answer.json()) as { data: { tag: string; count: number }[] };
  };
  const countOf = async (tag: string) =>
    (await read(`tags?prefix=${encodeURIComponent(tag)}`)).data.find((row) => row.tag === tag)?.count;
  const partsOf = async ({ adminUrl }: Pick<Sluice, 'adminUrl'>) => {
    const answer = await fetch(`${adminUrl}/healthz/ready`);
    return [answer.status, ((await answer.json()) as { parts: Record<string, string> }).parts] as const;
  };
  const metric = async (name: string) => {
    const text = await (await fetch(`${gateway.sluice.adminUrl}/metrics`)).text();
    return Number(new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1]);
  };
  const askMany = async (count: number, changes: object) => {
    const answers = await Promise.all(Array.from({ length: count }, () => gateway.ask(changes)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    return answers.map(({ id }) => id);
  };

  it('store them in MongoDB without a connection to it', async () => {
    const [id] = await askMany(1, { metadata: { case: 'lands' } });
    expect(await landedLog(admin, id!)).toMatchObject({ tags: ['case:lands'], status: 'success' });
    expect(await partsOf(gateway.sluice)).toEqual([
      200,
      { engine: 'ready', directory: 'ready', logs: 'ready', envoy: 'ready' },
    ]);
    expect(trap.connections()).toBe(0);
  });

  it('get feedback on them at once, including what came before the log', async () => {
    const [id] = await askMany(1, {});
    const given = await gateway.call('POST', `/${PROJECT}/feedback/${id}`, { body: { score: 1, weight: 1 } });
    expect(given.status).toBe(200);
    await expect.poll(() => landedLog(admin, id!), PATIENCE).toMatchObject({ feedback_count: 1, score: 1 });
  });

  it('add what LOG plugins find', async () => {
    const [id] = await askMany(1, { model: 'tagged' });
    await expect.poll(() => landedLog(admin, id!), PATIENCE).toMatchObject({ tags: ['seen:late'] });
  });

  it('keep logs while the admin service is away, and deliver each once when it is back', async () => {
    await expect.poll(() => metric('sluice_spool_records'), PATIENCE).toBe(0);
    const before = await metric('sluice_logs_written_total');
    expect((await admin.engine.stop()).code).toBe(0);
    const ids = await askMany(40, { metadata: { case: 'admin-away' }, model: 'tagged' });
    await expect.poll(() => metric('sluice_spool_records')).toBeGreaterThanOrEqual(40);
    await expect.poll(() => partsOf(gateway.sluice), PATIENCE).toMatchObject([200, { logs: 'degraded' }]);
    await admin.engine.start();
    await landedLogs(admin, ids);
    await expect.poll(() => metric('sluice_spool_records'), PATIENCE).toBe(0);
    await expect.poll(() => countOf('case:admin-away'), PATIENCE).toBe(40);
    expect(await metric('sluice_logs_written_total')).toBe(before + 40);
    expect(await metric('sluice_dead_letters_total')).toBe(0);
    for (const log of await landedLogs(admin, ids))
      expect(log.tags).toEqual(['case:admin-away', 'seen:late']);
  });

  it('keep logs while MongoDB is away behind it, report that data may be old, and deliver each once when it is back', async () => {
    const ready = { directory: 'ready', logs: 'ready' };
    // The admin service may have been away before.
    await expect.poll(() => partsOf(gateway.sluice), PATIENCE).toMatchObject([200, ready]);
    await mongod.kill();
    const ids = await askMany(40, { metadata: { case: 'mongodb-away' } });
    try {
      const degraded = { directory: 'degraded', logs: 'degraded' };
      await expect.poll(() => partsOf(gateway.sluice), PATIENCE).toMatchObject([200, degraded]);
      expect(await metric('sluice_spool_records')).toBeGreaterThanOrEqual(40);
      await expect.poll(() => metric('sluice_directory_age_seconds'), PATIENCE).toBeGreaterThan(0);
      expect((await doctor()).find(({ check }) => check === 'readiness')).toMatchObject({
        status: 'problem',
        detail: expect.stringContaining('may be out of date: it could not be read for'),
        remedy: expect.stringContaining('the admin service and its MongoDB'),
      });
    } finally {
      await mongod.restart();
    }
    await expect.poll(() => partsOf(gateway.sluice), PATIENCE).toMatchObject([200, ready]);
    expect(await metric('sluice_directory_age_seconds')).toBe(0);
    await landedLogs(admin, ids);
    await expect.poll(() => countOf('case:mongodb-away'), PATIENCE).toBe(40);
    expect(await metric('sluice_dead_letters_total')).toBe(0);
  });

  it('deliver those of two workers, and those of a worker that was killed', async () => {
    const engine = await startSluice({
      config: engineConfig({ engine: { workers: 2 } }),
      environment: { ...ENVIRONMENT, SLUICE_ADMIN_URL: admin.adminUrl },
      role: 'engine',
      mongodbUri: trap.uri,
    });
    const two = new Gateway(engine, provider);
    try {
      await admin.engine.stop();
      const metadata = { case: 'two-workers' };
      const answers = await Promise.all(Array.from({ length: 40 }, () => two.ask({ metadata })));
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
      await expect
        .poll(async () => [...(await requestsByWorker(two)).keys()].sort(), PATIENCE)
        .toEqual(['1', '2']);
      const [killed] = await workerPids(two);
      process.kill(killed!, 'SIGKILL');
      await expect.poll(() => workerPids(two), PATIENCE).not.toContain(killed);
      await admin.engine.start();
      const logs = await landedLogs(
        admin,
        answers.map(({ id }) => id),
      );
      expect(logs.map(({ tags }) => tags)).toEqual(logs.map(() => ['case:two-workers']));
      await expect.poll(() => countOf('case:two-workers'), PATIENCE).toBe(40);
      await expect
        .poll(() => partStates(two), PATIENCE)
        .toMatchObject({ 'worker-1': 'ready', 'worker-2': 'ready', logs: 'ready' });
    } finally {
      await engine.stop();
    }
    expect(trap.connections()).toBe(0);
  });

  it('report that their key is refused, keep their logs, and a command delivers them', async () => {
    const engine = await startSluice({
      // With projects and keys from MongoDB: from the admin service it would get none.
      config: engineConfig({ directory: { key: 'a-wrong-key' } }),
      environment: ENVIRONMENT,
      role: 'engine',
      mongodbUri: mongod.uri,
    });
    const wrong = new Gateway(engine, provider);
    try {
      const { id } = await wrong.ask({ metadata: { case: 'wrong-key' } });
      await expect.poll(() => engine.engineLog(), PATIENCE).toContain('did not accept logs: it answered 401');
      expect(await engine.engineLog()).not.toContain('a-wrong-key');
      expect(await partsOf(engine)).toMatchObject([200, { mongodb: 'ready', logs: 'degraded' }]);
      await engine.engine.kill();
      await engine.writeConfig(engineConfig());
      const { MONGODB_URI: _none, ...environment } = process.env;
      const shipped = await runProgram(process.execPath, [mainPath, 'logs', 'ship'], {
        environment: {
          ...environment,
          ...ENVIRONMENT,
          SLUICE_ADMIN_KEY: engine.adminKey,
          SLUICE_CONFIG: engine.configPath,
          SLUICE_DATA_DIR: engine.dataFolder,
        },
      });
      expect([shipped.code, JSON.parse(shipped.stdout)]).toEqual([
        0,
        { done: true, written: 1, dead_letters: 0, lost: 0 },
      ]);
      expect(await landedLog(admin, id)).toMatchObject({ tags: ['case:wrong-key'] });
    } finally {
      await engine.stop();
    }
  });

  const doctor = async (): Promise<Finding[]> => {
    const { configPath, adminUrl, dataFolder, adminKey } = gateway.sluice;
    const environment = {
      ...process.env,
      ...ENVIRONMENT,
      SLUICE_ADMIN_KEY: adminKey,
      SLUICE_ADMIN_PORT: new URL(adminUrl).port,
      SLUICE_DATA_DIR: dataFolder,
    };
    return findingsOf(configPath, 'engine', environment);
  };

  it('learn from `sluice doctor` whether the service can be reached, without a word about MongoDB', async () => {
    const findings = await doctor();
    expect(findings).toContainEqual({
      check: 'logs',
      status: 'ok',
      detail: `${admin.adminUrl} accepts connections`,
    });
    expect(findings).toContainEqual({
      check: 'mongodb',
      status: 'skipped',
      detail: 'only the admin service uses it',
    });
  });

  describe('in batches', () => {
    let delivery: AdminDelivery;
    beforeAll(() => {
      delivery = new AdminDelivery({ url: admin.adminUrl, key: () => new Secret(ENGINE_KEY) });
    });
    afterAll(() => delivery.close());

    const log = (changes: object = {}): Entry => ({
      kind: 'log',
      record: logRecord({ project_uid: PROJECT, ...changes }),
    });

    it('that are repeated, even at the same time, land and count once', async () => {
      const logs = Array.from({ length: 30 }, () => log({ tags: ['case:repeated'] }));
      const late = logs.map(
        (entry): Entry => ({
          kind: 'amendment',
          amendment: {
            log_id: entryLogId(entry),
            plugin_runs: [],
            add_tags: ['case:amended'],
          },
        }),
      );
      const batch = [...logs, ...late];
      const answers = await Promise.all([1, 2, 3].map(() => delivery.deliver(batch)));
      answers.push(await delivery.deliver(batch));
      expect(answers).toEqual(answers.map(() => ({ stored: 30, refused: [] })));
      await expect.poll(() => countOf('case:repeated'), PATIENCE).toBe(30);
      await expect.poll(() => countOf('case:amended'), PATIENCE).toBe(30);
    });

    it('learn which logs will never land, and why, while the others do', async () => {
      const sound = log();
      const none: Entry = {
        kind: 'amendment',
        amendment: { log_id: 'nowhere', plugin_runs: [], add_tags: ['x'] },
      };
      expect(await delivery.deliver([log({ metadata: 'none' }), sound, none])).toEqual({
        stored: 1,
        refused: [
          { index: 0, reason: 'it is not a valid log: metadata is missing or has the wrong type' },
          { index: 2, reason: 'its log is not in MongoDB' },
        ],
      });
      expect(await landedLog(admin, entryLogId(sound))).toBeDefined();
    });

    it('deliver large bodies unchanged', async () => {
      const text = JSON.stringify({ content: 'é'.repeat(3_000_000) });
      const entry = log({ response: null, _large: { response: Buffer.from(text) } });
      expect(await delivery.deliver([entry])).toEqual({ stored: 1, refused: [] });
      const id = entryLogId(entry);
      expect(((await read(`logs/${id}`)) as unknown as { response: object }).response).toEqual(
        JSON.parse(text),
      );
    });

    it('leave a LOG phase that was not finished to the admin service', async () => {
      // As a killed engine leaves it: shipped and marked, and not its own any more.
      const entry = log({ endpoint: 'tagged', _log_phase_due: true });
      await delivery.deliver([entry]);
      await admin.engine.stop();
      await admin.database
        .collection<{ _id: string }>('logs')
        .updateOne({ _id: entryLogId(entry) }, { $set: { _log_phase_claimed_until: new Date(0) } });
      await admin.engine.start();
      await delivery.deliver([log()]);
      await expect
        .poll(() => landedLog(admin, entryLogId(entry)), PATIENCE)
        .toMatchObject({ tags: ['seen:late'], plugin_runs: [{ plugin: 'tags_late', phase: 'log' }] });
    });
  });

  it('never connect to MongoDB', async () => {
    expect(trap.connections()).toBe(0);
  });
});
