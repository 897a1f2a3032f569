import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { renderEnvoyConfig } from '../../src/commands/envoy-config.js';
import { EnvoyAdmin } from '../../src/envoy/envoy-admin.js';
import { mongodUri } from '../../src/local/parts/mongod.js';
import { type PortReservation, reservePort } from '../../src/local/ports.js';
import { Child } from '../../src/local/processes/child.js';
import { waitFor } from '../../src/local/processes/wait.js';
import { type CertificatePair, TestAuthority } from '../support/certificates.js';
import {
  answerReply,
  chat,
  KEY,
  landedLogs,
  PROJECT,
  streamAnswerReply,
  streamedText,
} from '../support/chat.js';
import { type FakeProvider, startFakeProvider } from '../support/fake-provider.js';
import type { Reply } from '../support/replies.js';
import { missingPrograms, type Sluice, startSluice } from '../support/start-sluice.js';

/* Three engines behind one address, as a Service of Kubernetes has them, with certificates on both sides. */

const ENGINES = 3;
const CLIENTS = 8;
const KILLING_MS = Number(process.env.POOL_SECONDS ?? 60) * 1_000;
const BETWEEN_KILLS_MS = 4_000;
const NONCE = /nonce-\d+/;
const PRIVATE = 'a@b.example';

/** Says the nonce of what was asked; the first model fails for every third. */
const echoing =
  (failing: boolean): Reply =>
  async (response, request) => {
    const nonce = NONCE.exec(request.text)![0];
    if (failing && Number(nonce.slice(6)) % 3 === 0) {
      response.writeHead(500).end('{}');
      return;
    }
    const reply = request.json().stream === true ? streamAnswerReply(nonce, '!') : answerReply(`${nonce}!`);
    await reply(response, request);
  };

interface Result {
  nonce: string;
  status: number;
  id: string;
  text: string;
}

/** The whole answer came, and not only its beginning. */
function isWhole({ status, text }: Result): boolean {
  return status === 200 && (text.startsWith('{') || text.includes('data: [DONE]'));
}

function saidIn(text: string): string {
  return text.startsWith('{') ? JSON.parse(text).choices[0].message.content : streamedText(text);
}

/** Clients that ask until they are stopped. */
class Load {
  readonly results: Result[] = [];
  readonly #clients: Promise<void>[];
  static #numbers = 0;
  #stopped = false;

  constructor(readonly gatewayUrl: string) {
    this.#clients = Array.from({ length: CLIENTS }, () => this.#client());
  }

  async stop(): Promise<Result[]> {
    this.#stopped = true;
    await Promise.all(this.#clients);
    return this.results;
  }

  async #client(): Promise<void> {
    while (!this.#stopped) {
      const number = Load.#numbers++;
      const nonce = `nonce-${number}`;
      const body = {
        messages: [{ role: 'user', content: `${nonce} of ${PRIVATE}` }],
        stream: number % 2 === 0,
      };
      const endpoint = number % 4 < 2 ? 'couple' : 'single';
      const answer = await chat(this, endpoint, body).catch((error: Error) => error);
      if (answer instanceof Error) this.results.push({ nonce, status: 0, id: '', text: answer.message });
      else this.results.push({ nonce, ...answer });
    }
  }
}

describe.skipIf(missingPrograms !== null)('a pool of engines', () => {
  let folder: string;
  let first: FakeProvider;
  let second: FakeProvider;
  const engines: Sluice[] = [];
  const ports: PortReservation[] = [];
  let gateway: PortReservation;
  let envoy: Child;
  let url: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sluice-pool-'));
    const authority = new TestAuthority(folder);
    const engineFiles = authority.issue('engine', '127.0.0.1');
    const envoyFiles = authority.issue('envoy');
    [first, second] = [await startFakeProvider(), await startFakeProvider()];
    first.always(echoing(true));
    second.always(echoing(false));
    const uri = mongodUri(inject('mongodPort')!, `pool-${process.pid}`);
    for (let index = 0; index < ENGINES; index++) {
      const port = await reservePort();
      ports.push(port);
      const config = configuration([first, second], port.port, engineFiles);
      engines.push(await startSluice({ config, mongodbUri: uri, envoy: false }));
    }
    gateway = await reservePort();
    url = `http://127.0.0.1:${gateway.port}`;
    envoy = await startEnvoy(envoyFiles);
  });

  afterAll(async () => {
    await envoy?.stop(5_000);
    await engines[0]?.database.dropDatabase();
    for (const engine of engines) await engine.stop();
    for (const port of [...ports, gateway]) await port?.release();
    await Promise.all([first?.stop(), second?.stop()]);
    await rm(folder, { recursive: true, force: true });
  });

  /** With one address for each engine, as the name of a headless Service gives them. */
  async function startEnvoy({ ca, cert, key }: CertificatePair): Promise<Child> {
    const environment = {
      ...process.env,
      SLUICE_DATA_DIR: folder,
      SLUICE_GATEWAY_PORT: String(gateway.port),
      SLUICE_ADMIN_URL: engines[0]!.adminUrl,
      SLUICE_ADMIN_KEY: engines[0]!.adminKey,
    };
    const words = { engine: `127.0.0.1:${ports[0]!.port}`, engineCa: ca, engineCert: cert, engineKey: key };
    const text = await renderEnvoyConfig({ config: engines[0]!.configPath, ...words }, environment);
    const bootstrap = parse(text!);
    const engine = bootstrap.static_resources.clusters.find(
      ({ name }: { name: string }) => name === 'engine',
    );
    const [{ endpoint }] = engine.load_assignment.endpoints[0].lb_endpoints;
    engine.load_assignment.endpoints[0].lb_endpoints = ports.map(({ port }) => {
      const copy = structuredClone(endpoint);
      copy.address.socket_address.port_value = port;
      return { endpoint: copy };
    });
    const path = join(folder, 'envoy.yaml');
    await writeFile(path, stringify(bootstrap));
    const child = await Child.start({
      name: 'Envoy',
      command: inject('envoyBinary')!,
      arguments: ['-c', path, '--use-dynamic-base-id', '--log-level', 'warning'],
      environment: process.env,
      logPath: join(folder, 'envoy.log'),
      ownGroup: false,
    });
    const admin = new EnvoyAdmin(join(folder, 'envoy-admin.sock'));
    await waitFor('Envoy is live', () => admin.isLive(), { timeoutMs: 20_000 });
    return child;
  }

  /** Each answer is its request's own, and was logged and guarded. */
  async function expectRight(answered: readonly Result[]): Promise<void> {
    for (const { nonce, text } of answered) expect(saidIn(text)).toBe(`${nonce}!`);
    const ids = answered.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const logs = await landedLogs(engines[0]!, ids);
    for (const [index, log] of logs.entries()) {
      const { nonce } = answered[index]!;
      expect(JSON.stringify(log.request)).toContain(`${nonce} of <EMAIL_ADDRESS>`);
      expect(log.plugin_runs).toMatchObject([{ plugin: 'pii_detection', outcome: 'modified' }]);
      const falls = log.endpoint === 'couple' && Number(nonce.slice(6)) % 3 === 0;
      expect(log.attempts).toHaveLength(falls ? 2 : 1);
    }
    const all = [...first.requests, ...second.requests];
    expect(all.filter(({ text }) => text.includes(PRIVATE))).toEqual([]);
    first.reset();
    second.reset();
    first.always(echoing(true));
    second.always(echoing(false));
  }

  it('is updated one engine at a time, and no request is cut', async () => {
    const load = new Load(url);
    for (const { engine } of engines) {
      await new Promise((resume) => setTimeout(resume, 2_000));
      await engine.stop();
      await engine.start();
    }
    await new Promise((resume) => setTimeout(resume, 2_000));
    const results = await load.stop();
    expect(results.filter((result) => !isWhole(result))).toEqual([]);
    expect(results.length).toBeGreaterThan(50);
    console.log(`rolling update: ${results.length} requests, 0 failed`);
    const tries = first.requests.length + second.requests.length;
    await expectRight(results);
    // No log and no try is there beside them.
    const logs = await engines[0]!.database.collection('logs').find().toArray();
    expect(logs).toHaveLength(results.length);
    expect(logs.reduce((sum, { attempts }) => sum + attempts.length, 0)).toBe(tries);
  });

  it('loses engines, and gives no wrong answer', async () => {
    const load = new Load(url);
    const end = performance.now() + KILLING_MS;
    let kills = 0;
    while (performance.now() < end) {
      await new Promise((resume) => setTimeout(resume, BETWEEN_KILLS_MS));
      const { engine } = engines[kills++ % ENGINES]!;
      await engine.kill();
      await engine.start();
    }
    const results = await load.stop();
    const whole = results.filter(isWhole);
    const failed = results.filter((result) => !isWhole(result));
    const cut = failed.filter(({ status }) => status === 0 || status === 200).length;
    console.log(
      `${kills} kills: ${whole.length} requests answered, ${failed.length - cut} told an error, ${cut} cut off`,
    );
    // What an engine had under way when it was killed, and nothing else.
    expect(failed.length).toBeLessThanOrEqual(kills * CLIENTS);
    for (const { status } of failed) expect([0, 200, 502, 503]).toContain(status);
    await expectRight(whole);
  });
});

function configuration(providers: FakeProvider[], port: number, files: CertificatePair): string {
  const [first, second] = providers.map(({ baseUrl }) => ({ api: 'openai', base_url: baseUrl }));
  const plugins = [
    {
      plugin: 'pii_detection',
      phases: ['request'],
      config: { entities: ['EMAIL_ADDRESS'], reject_on_detection: false, mask: true },
    },
  ];
  const models = ['first', 'second'].map((provider) => ({ provider, model: 'large' }));
  return JSON.stringify({
    providers: { first, second },
    projects: [
      {
        uid: PROJECT,
        name: 'test',
        api_keys: [{ name: 'test', key: KEY, scopes: ['inference', 'feedback', 'logs'] }],
        endpoints: [
          { name: 'couple', models, plugins },
          { name: 'single', models: [models[1]], plugins },
        ],
      },
    ],
    engine: {
      listen: {
        address: `127.0.0.1:${port}`,
        tls: { cert_file: files.cert, key_file: files.key, client_ca_file: files.ca },
      },
    },
  });
}
