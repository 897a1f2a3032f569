import { join, resolve } from 'node:path';
import { renderBootstrap } from '../envoy/bootstrap.js';
import { CLUSTERS_DIRECTORY, CLUSTERS_FILE, ENGINE_SOCKET, ENVOY_ADMIN_SOCKET } from '../envoy/names.js';
import { readTraceCollector } from '../envoy/tracing.js';
import { writeClusters } from '../envoy/write-clusters.js';
import { chooseExporters } from '../telemetry/exporters.js';
import { readConfiguration } from './configuration.js';

/** Prints Envoy's bootstrap, and writes the clusters file that it names, so that Envoy can start before the engine. */
export async function envoyConfig(configOption: string | undefined): Promise<number> {
  const configuration = await readConfiguration(configOption);
  if (configuration === undefined) return 1;
  const { config, environment, plugins } = configuration;
  await plugins().close();
  const data = resolve(environment.dataDirectory);
  const clustersFile = join(data, CLUSTERS_DIRECTORY, CLUSTERS_FILE);
  writeClusters(clustersFile, config.providers.values());
  process.stdout.write(
    renderBootstrap({
      gatewayAddress: environment.host,
      gatewayPort: environment.gatewayPort,
      adminAddress: environment.host === '0.0.0.0' ? '127.0.0.1' : environment.host,
      adminPort: environment.adminPort,
      engineSocket: join(data, ENGINE_SOCKET),
      envoyAdminSocket: join(data, ENVOY_ADMIN_SOCKET),
      clustersFile,
      collector: chooseExporters(process.env).otlpTraces ? readTraceCollector(process.env) : undefined,
    }),
  );
  return 0;
}
