import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { addTracing, type TraceCollector } from './tracing.js';

export interface BootstrapOptions {
  gatewayAddress: string;
  gatewayPort: number;
  adminAddress: string;
  adminPort: number;
  /** Paths. A Unix socket's is 107 bytes at most. */
  engineSocket: string;
  envoyAdminSocket: string;
  clustersFile: string;
  /** Where Envoy's spans go; absent: it makes none. */
  collector?: TraceCollector;
}

const TEMPLATE = new URL('../../envoy/bootstrap.yaml', import.meta.url);

/** envoy/bootstrap.yaml with its places filled in, and with tracing where there is a collector. */
export function renderBootstrap(options: BootstrapOptions): string {
  const text = fillTemplate(options);
  return options.collector === undefined ? text : addTracing(text, options.collector);
}

function fillTemplate(options: BootstrapOptions): string {
  const values: Record<string, string | number> = {
    GATEWAY_ADDRESS: options.gatewayAddress,
    GATEWAY_PORT: options.gatewayPort,
    ADMIN_ADDRESS: options.adminAddress,
    ADMIN_PORT: options.adminPort,
    ENGINE_SOCKET: options.engineSocket,
    ENVOY_ADMIN_SOCKET: options.envoyAdminSocket,
    CLUSTERS_FILE: options.clustersFile,
    CLUSTERS_DIRECTORY: dirname(options.clustersFile),
  };
  return readFileSync(TEMPLATE, 'utf8').replaceAll(/\$\{([A-Z_]+)\}/g, (_place, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`envoy/bootstrap.yaml names an unknown place: ${name}`);
    // Places for text stand inside double quotes, where YAML reads JSON's escapes.
    return JSON.stringify(String(value)).slice(1, -1);
  });
}
