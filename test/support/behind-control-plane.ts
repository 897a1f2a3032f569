import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EnvoyAdmin } from '../../src/envoy/envoy-admin.js';
import type { Mesh } from '../../src/envoy/meshes.js';
import { mainPath } from '../../src/local/parts/engine.js';
import { reservePort } from '../../src/local/ports.js';
import { Child } from '../../src/local/processes/child.js';
import { runProgram } from '../../src/local/processes/run-program.js';
import { waitFor } from '../../src/local/processes/wait.js';
import { type FakeProvider, startFakeProvider } from './fake-provider.js';
import { CHAT_PATH, CREDENTIAL, gatewayConfig, KEYS, MESSAGES, PROJECT } from './gateway.js';
import { type Sluice, startSluice } from './start-sluice.js';

/** Where the Envoy is. */
export interface Place {
  /** Of the listener that asks the engine. */
  port: number;
  /** Of one that somebody else has there. */
  otherPort: number;
  adminSocket: string;
  /** For files. */
  directory: string;
}

/** Makes the bootstrap of an Envoy of our manifests, as a control plane does. */
export type Translate = (manifests: string, place: Place) => string | Promise<string>;

export interface ControlPlane {
  mesh: Mesh;
  chain: boolean;
  translate: Translate;
  /** Of the Envoy. */
  binary: string;
}

/** An engine behind an Envoy that somebody else configures, with the manifests of `sluice envoy-config`. */
export class BehindControlPlane {
  /** Started like this: what goes wrong is told, and all that runs is ended. */
  static async start(
    controlPlane: ControlPlane,
    config: Parameters<typeof gatewayConfig>[1],
  ): Promise<BehindControlPlane> {
    const cleanups: (() => Promise<unknown>)[] = [];
    try {
      const provider = await startFakeProvider();
      cleanups.push(() => provider.stop());
      const environment = { FAKE_KEY: CREDENTIAL };
      const sluice = await startSluice({
        config: JSON.stringify(gatewayConfig(provider.baseUrl, config)),
        environment,
        envoy: false,
      });
      cleanups.push(() => sluice.stop());
      const [own, other] = [await reservePort(), await reservePort()];
      cleanups.push(own.release, other.release);
      const place = {
        port: own.port,
        otherPort: other.port,
        adminSocket: join(sluice.dataFolder, 'gateway-admin.sock'),
        directory: sluice.dataFolder,
      };
      const { manifests, told } = await render(controlPlane, sluice, environment, place.port);
      const envoy = await startEnvoy(controlPlane, manifests, place);
      cleanups.push(() => envoy.stop(5_000));
      await sluice.waitUntilReady();
      return new BehindControlPlane(provider, sluice, told, `http://127.0.0.1:${place.port}`, cleanups);
    } catch (error) {
      for (const cleanup of cleanups.reverse()) await cleanup();
      throw error;
    }
  }

  private constructor(
    readonly provider: FakeProvider,
    readonly sluice: Sluice,
    /** What the command said. */
    readonly told: string,
    readonly url: string,
    private readonly cleanups: (() => Promise<unknown>)[],
  ) {}

  /** The status of feedback on a log. */
  async giveFeedback(id: string): Promise<number> {
    const answer = await fetch(`${this.url}/${PROJECT}/feedback/${id}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${KEYS.feedback}`, 'content-type': 'application/json' },
      body: JSON.stringify({ score: 1, weight: 1 }),
    });
    return answer.status;
  }

  async ask(changes: object = {}, headers: Record<string, string> = {}) {
    const answer = await fetch(`${this.url}${CHAT_PATH}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${KEYS.all}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ model: 'support', messages: MESSAGES, ...changes }),
    });
    const text = await answer.text();
    return { status: answer.status, text, id: answer.headers.get('x-inference-log-id') ?? '' };
  }

  async stop(): Promise<void> {
    for (const cleanup of this.cleanups.reverse()) await cleanup();
  }
}

async function render(
  { mesh, chain }: ControlPlane,
  sluice: Sluice,
  environment: Record<string, string>,
  port: number,
): Promise<{ manifests: string; told: string }> {
  const words = ['envoy-config', '--config', sluice.configPath, '--for', mesh, '--name', 'edge'];
  const result = await runProgram(process.execPath, [mainPath, ...words, ...(chain ? [] : ['--no-chain'])], {
    environment: {
      ...process.env,
      ...environment,
      SLUICE_DATA_DIR: sluice.dataFolder,
      SLUICE_ADMIN_URL: sluice.adminUrl,
      SLUICE_ADMIN_KEY: sluice.adminKey,
      SLUICE_GATEWAY_PORT: String(port),
    },
  });
  if (result.code !== 0) throw new Error(result.problem);
  // The manifests are of a time before the provider `late` was where it is now.
  const manifests = result.stdout.replaceAll('provider-late@http', 'provider-late@gone');
  return { manifests, told: result.output };
}

async function startEnvoy(
  { translate, binary }: ControlPlane,
  manifests: string,
  place: Place,
): Promise<Child> {
  const path = join(place.directory, 'gateway.yaml');
  await writeFile(path, await translate(manifests, place));
  const envoy = await Child.start({
    name: 'Envoy',
    command: binary,
    arguments: ['-c', path, '--use-dynamic-base-id', '--log-level', 'warning'],
    environment: process.env,
    logPath: join(place.directory, 'gateway.log'),
    ownGroup: false,
  });
  const admin = new EnvoyAdmin(place.adminSocket);
  await waitFor('Envoy is live', () => admin.isLive(), { timeoutMs: 20_000 });
  return envoy;
}
