import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Environment } from '../config/environment.js';
import { renderBootstrap } from '../envoy/bootstrap.js';
import {
  CLUSTERS_DIRECTORY,
  CLUSTERS_FILE,
  DRAINED_FILE,
  ENGINE_SOCKET,
  ENVOY_ADMIN_SOCKET,
} from '../envoy/names.js';
import { readTraceCollector } from '../envoy/tracing.js';
import { writeClusters } from '../envoy/write-clusters.js';
import { chooseExporters } from '../telemetry/exporters.js';
import { readConfiguration } from './configuration.js';

export interface EnvoyConfigOptions {
  config?: string;
  /** A file, instead of standard output. Only its owner can read it: it can hold what a collector asks for. */
  output?: string;
}

/** Gives Envoy's bootstrap, and writes the clusters file that it names, so that Envoy can start before the engine. */
export async function envoyConfig({ config: file, output }: EnvoyConfigOptions): Promise<number> {
  const configuration = await readConfiguration(file);
  if (configuration === undefined) return 1;
  const { config, environment, plugins } = configuration;
  await plugins().close();
  const data = resolve(environment.dataDirectory);
  const clustersFile = join(data, CLUSTERS_DIRECTORY, CLUSTERS_FILE);
  writeClusters(clustersFile, config.providers.values());
  // Of an Envoy before the one that will start with this.
  rmSync(join(data, DRAINED_FILE), { force: true });
  const bootstrap = renderBootstrap({
    gatewayAddress: environment.host,
    gatewayPort: environment.gatewayPort,
    adminUrl: adminUrlOf(environment),
    engineSocket: join(data, ENGINE_SOCKET),
    envoyAdminSocket: join(data, ENVOY_ADMIN_SOCKET),
    clustersFile,
    collector: chooseExporters(process.env).otlpTraces ? readTraceCollector(process.env) : undefined,
  });
  if (output === undefined) {
    process.stdout.write(bootstrap);
  } else {
    writeFileSync(`${output}.new`, bootstrap, { mode: 0o600 });
    renameSync(`${output}.new`, output);
  }
  return 0;
}

/** Where it was said, or the admin port of this machine. */
function adminUrlOf({ adminUrl, adminHost, adminPort }: Environment): URL {
  if (adminUrl !== undefined) return adminUrl;
  const host = { '0.0.0.0': '127.0.0.1', '::': '[::1]' }[adminHost] ?? adminHost;
  return new URL(`http://${host.includes(':') && !host.startsWith('[') ? `[${host}]` : host}:${adminPort}`);
}
