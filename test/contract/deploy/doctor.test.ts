import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Finding } from '../../../src/app/doctor/finding.js';
import { findingsOf } from '../../../src/commands/doctor.js';
import { mainPath } from '../../../src/local/parts/engine.js';
import { reservePort } from '../../../src/local/ports.js';
import { runProgram } from '../../../src/local/processes/run-program.js';
import type { Role } from '../../../src/process/role.js';
import { type Gateway, gatewayConfig, startGateway } from '../../support/gateway.js';
import { addMembers, startOwnMongod } from '../../support/mongod.js';
import { missingPrograms } from '../../support/start-sluice.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

describe.skipIf(missingPrograms)('sluice doctor', () => {
  let gateway: Gateway;
  let environment: NodeJS.ProcessEnv;

  beforeAll(async () => {
    gateway = await startGateway();
    const { adminUrl, dataFolder, mongodbUri, configPath, adminKey } = gateway.sluice;
    environment = {
      ...process.env,
      SLUICE_CONFIG: configPath,
      SLUICE_ADMIN_PORT: new URL(adminUrl).port,
      SLUICE_DATA_DIR: dataFolder,
      SLUICE_ADMIN_KEY: adminKey,
      MONGODB_URI: mongodbUri,
      FAKE_KEY: 'provider-secret',
    };
  });

  afterAll(() => gateway?.stop());

  /** The command in a process of its own. */
  const command = (...parameters: string[]) =>
    runProgram(process.execPath, [mainPath, 'doctor', ...parameters], { environment });

  const commandAsJson = async (...parameters: string[]) => {
    const { code, stdout } = await command('--json', ...parameters);
    return { code, ...(JSON.parse(stdout) as { healthy: boolean; findings: Finding[] }) };
  };

  const problemsOf = (findings: Finding[]) => findings.filter(({ status }) => status === 'problem');

  /** What it finds, without a process. */
  const run = async (changes: NodeJS.ProcessEnv = {}, options: { file?: string; role?: Role } = {}) => {
    const findings = await findingsOf(options.file, options.role ?? 'all', { ...environment, ...changes });
    const remedies = problemsOf(findings);
    return { findings, remedies, problems: remedies.map(({ check }) => check) };
  };

  it('reports no problem for a healthy deployment', async () => {
    // Indexes are built beside the start.
    await expect.poll(async () => (await run()).problems, { timeout: 30_000 }).toEqual([]);
    const { code, healthy, findings } = await commandAsJson();
    expect([code, healthy]).toEqual([0, true]);
    expect(findings.filter(({ status }) => status === 'ok').map(({ check }) => check)).toEqual([
      'keys',
      'data directory',
      'engine',
      'envoy',
      'envoy configuration',
      'envoy clusters',
      'readiness',
      'mongodb',
      'indexes',
      'clock',
      expect.stringMatching(/^mongodb member 127\.0\.0\.1:\d+$/),
      'provider fake',
    ]);
  });

  it('prints the same for people, without secrets', async () => {
    const result = await command();
    expect(result.stdout).toContain('✓ envoy: version 1.40');
    expect(result.output).not.toMatch(/provider-secret|sk-all/);
    expect(result.output).not.toContain(gateway.sluice.adminKey);
  });

  it('reports what does not answer, and what to do', async () => {
    const { problems, remedies } = await run({
      MONGODB_URI: 'mongodb://127.0.0.1:1/x?serverSelectionTimeoutMS=500',
      SLUICE_ADMIN_PORT: '1',
      SLUICE_DATA_DIR: await temporaryFolder(),
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1',
    });
    expect(problems).toEqual(['engine', 'envoy', 'readiness', 'mongodb', 'collector']);
    for (const { remedy } of remedies) expect(remedy).toBeTruthy();
  });

  it('checks each member of the replica set, and reports which is down', async () => {
    const mongod = await startOwnMongod();
    // A primary that is asked to end waits for its set.
    onTestFinished(() => mongod.kill().then(() => mongod.stop()));
    const closed = await reservePort();
    onTestFinished(() => closed.release());
    const second = await addMembers(mongod, `127.0.0.1:${closed.port}`);
    onTestFinished(() => second.kill());
    const { findings } = await run({ MONGODB_URI: mongod.uri });
    expect(findings.filter(({ check }) => check.startsWith('mongodb member'))).toEqual([
      { check: expect.stringContaining('mongodb member'), status: 'ok', detail: 'PRIMARY' },
      {
        check: `mongodb member ${second.name}`,
        status: 'ok',
        detail: expect.stringMatching(/^SECONDARY, \d+ s behind$/),
      },
      {
        check: `mongodb member 127.0.0.1:${closed.port}`,
        status: 'problem',
        detail: expect.stringMatching(/^DOWN/),
        remedy: expect.stringMatching(/^start mongod there/),
      },
    ]);
  });

  it('reports a provider that does not speak TLS, and one that does not exist', async () => {
    const { host } = new URL(gateway.provider.baseUrl);
    const config = gatewayConfig('http://127.0.0.1:1/v1', {
      providers: () => ({ tls: { api: 'openai', base_url: `https://${host}/v1` } }),
    });
    const file = join(await temporaryFolder(), 'sluice.json');
    await writeFile(file, JSON.stringify(config));
    const { problems } = await run({}, { file });
    expect(problems).toEqual(['envoy clusters', 'provider fake', 'provider tls']);
  });

  it('reports an Envoy that does not run', async () => {
    const { envoy } = gateway.sluice;
    await envoy.stop();
    expect((await run()).problems).toEqual(['envoy', 'readiness']);
    await envoy.start();
  });

  it('reports an engine that accepts connections and hangs', async () => {
    const { engine } = gateway.sluice;
    engine.signal('SIGSTOP');
    onTestFinished(() => engine.signal('SIGCONT'));
    const { problems, remedies } = await run();
    expect(problems).toEqual(['engine', 'readiness']);
    for (const { remedy } of remedies) expect(remedy).toContain('restart it');
  });

  it('reports mistakes of the file, also as JSON, and checks everything else', async () => {
    const file = join(await temporaryFolder(), 'sluice.yaml');
    await writeFile(file, 'projects: [{ name: a }]');
    const { code, healthy, findings } = await commandAsJson('--config', file);
    expect([code, healthy]).toEqual([1, false]);
    expect(problemsOf(findings)).toEqual([
      {
        check: 'configuration',
        status: 'problem',
        detail: expect.stringContaining('projects[0].uid: missing'),
        remedy: expect.any(String),
      },
    ]);
    expect(findings).toContainEqual({
      check: 'configuration',
      status: 'skipped',
      detail: expect.stringContaining('leave out projects[0]'),
    });
    const well = findings.filter(({ status }) => status === 'ok').map(({ check }) => check);
    expect(well).toEqual(
      expect.arrayContaining(['data directory', 'engine', 'envoy', 'readiness', 'mongodb']),
    );
  });

  it('does not expect an engine beside an admin service', async () => {
    const { findings } = await run({}, { role: 'admin' });
    expect(findings.find(({ check }) => check === 'engine')?.status).toBe('skipped');
    expect(findings.map(({ check }) => check)).not.toContain('envoy');
  });
});
