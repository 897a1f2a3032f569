import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { socketsOf } from '../app/workers/count.js';
import { urlOf } from '../config/addresses.js';
import type { Environment } from '../config/environment.js';
import type { Provider } from '../core/settings.js';
import { renderBootstrap } from '../envoy/bootstrap.js';
import { addressOf } from '../envoy/clusters.js';
import { type Mesh, renderForMesh, renderForRemoteEngine } from '../envoy/meshes.js';
import {
  CLUSTERS_FILE,
  CLUSTERS_FOLDER,
  DRAINED_FILE,
  ENVOY_ADMIN_SOCKET,
  engineSocket,
} from '../envoy/names.js';
import { readTraceCollector } from '../envoy/tracing.js';
import { writeClusters } from '../envoy/write-clusters.js';
import { chooseExporters } from '../telemetry/exporters.js';
import { readConfiguration } from './configuration.js';
import { readRemoteEngine } from './remote-engine-options.js';

export interface EnvoyConfigOptions {
  config?: string;
  /**
   * The file to write to, in place of standard output. Only its owner can read it, because it can contain the headers
   * of a collector.
   */
  output?: string;
  /** The kind of Envoy: one of our own, or that of a mesh or gateway in Kubernetes. */
  for?: 'standalone' | Mesh;
  /** The name of the workload (Istio) or the Gateway (Envoy Gateway). */
  name?: string;
  /** Engines on other machines, as host and port, and the PEM files for mutual TLS between Envoy and the engines. */
  engine?: string;
  engineCa?: string;
  engineCert?: string;
  engineKey?: string;
}

/** Names that are valid as a label value, or as the name of a Gateway, in Kubernetes. */
const NAMES: Record<Mesh, { pattern: RegExp; expected: string }> = {
  istio: {
    pattern: /^[A-Za-z0-9](?:[A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?$/,
    expected: "the value of the pods' label app.kubernetes.io/name (letters, digits, '-', '_' and '.')",
  },
  'envoy-gateway': {
    pattern: /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/,
    expected: "the name of a Gateway (lower-case letters, digits and '-')",
  },
};

export async function envoyConfig(options: EnvoyConfigOptions): Promise<number> {
  const { output } = options;
  const text = await renderEnvoyConfig(options, process.env);
  if (text === undefined) return 1;
  if (output === undefined) {
    process.stdout.write(text);
  } else {
    writeFileSync(`${output}.new`, text, { mode: 0o600 });
    renameSync(`${output}.new`, output);
  }
  return 0;
}

/**
 * Writes Envoy's bootstrap, and the clusters file that it names, so that Envoy can start before the engine. Prints
 * mistakes and returns undefined where there are any.
 */
export async function renderEnvoyConfig(
  options: EnvoyConfigOptions,
  env: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  const { config: file, for: target = 'standalone', name = 'sluice' } = options;
  if (target !== 'standalone' && !NAMES[target].pattern.test(name)) {
    console.error(`--name ${JSON.stringify(name)}: ${NAMES[target].expected} was expected.`);
    return undefined;
  }
  const remote = readRemoteEngine(options, target);
  if (typeof remote === 'string') {
    console.error(remote);
    return undefined;
  }
  // No credential becomes part of Envoy's configuration.
  const configuration = await readConfiguration({ file, env, keys: 'unread' });
  if (configuration === undefined) return undefined;
  const { config, environment, plugins } = configuration;
  await plugins().close();
  const data = resolve(environment.dataFolder);
  const clustersFile = join(data, CLUSTERS_FOLDER, CLUSTERS_FILE);
  const providers = [...config.providers.values()];
  if (target === 'standalone' && remote === undefined) writeClusters(clustersFile, providers);
  // Envoy's administration socket will be in this folder.
  if (target === 'standalone') mkdirSync(data, { recursive: true });
  // This file can be left from an Envoy that ran before.
  rmSync(join(data, DRAINED_FILE), { force: true });
  const sockets = socketsOf(config.engine, data);
  const adminUrl = adminUrlOf(environment);
  const renderFor = (mesh: typeof target, rendered: string) => {
    if (mesh === 'standalone') {
      return remote === undefined ? rendered : renderForRemoteEngine(rendered, providers, remote);
    }
    if (mesh === 'envoy-gateway') warnAboutLoopback(adminUrl, providers);
    const requestBodyBytes = config.limits.request_body_bytes;
    const beside = { adminUrl, engineSockets: sockets, remoteEngine: remote, requestBodyBytes };
    return renderForMesh(mesh, rendered, { name, providers, ...beside });
  };
  const bootstrap = renderBootstrap({
    gatewayAddress: environment.host,
    gatewayPort: environment.gatewayPort,
    adminUrl,
    engineSocket: join(data, engineSocket()),
    workerSockets: sockets,
    envoyAdminSocket: join(data, ENVOY_ADMIN_SOCKET),
    clustersFile,
    collector: chooseExporters(env).otlpTraces ? readTraceCollector(env) : undefined,
  });
  return renderFor(target, bootstrap);
}

/** The configured URL of the admin service, or that of the admin port on this machine. */
function adminUrlOf({ adminUrl, adminHost, adminPort }: Environment): URL {
  return adminUrl ?? new URL(urlOf(adminHost, adminPort));
}

const LOOPBACK = /^(127\..*|::1|localhost)$/;

/** Warns on standard error about what Envoy Gateway does not accept. */
function warnAboutLoopback(adminUrl: URL, providers: readonly Provider[]): void {
  const places = [
    { what: 'SLUICE_ADMIN_URL', url: adminUrl },
    ...providers.map(({ name, base_url }) => ({ what: `provider "${name}"`, url: new URL(base_url) })),
  ];
  for (const { what, url } of places) {
    const { host } = addressOf(url);
    if (!LOOPBACK.test(host)) continue;
    console.error(
      `${what} is on ${host}. Envoy Gateway accepts no backend on a loopback address: name the address at which its pods reach it.`,
    );
  }
}
