import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { dirname } from 'node:path';
import { type Document, parse, parseDocument, stringify, type YAMLMap, type YAMLSeq } from 'yaml';
import { addressOf, transportSocket } from './clusters.js';
import { addTracing, type TraceCollector } from './tracing.js';
import { withWorkers } from './workers.js';

export interface BootstrapOptions {
  gatewayAddress: string;
  gatewayPort: number;
  /** The URL of the admin service, without a path. */
  adminUrl: URL;
  /** Paths of files and sockets. The path of a Unix socket has 107 bytes at most. */
  engineSocket: string;
  /** The sockets of the engine's workers, in place of `engineSocket`, where there are several. */
  workerSockets?: readonly string[];
  envoyAdminSocket: string;
  clustersFile: string;
  /** Where Envoy sends its spans; undefined where it creates none. */
  collector?: TraceCollector;
}

/**
 * How much of a client's connection the kernel keeps before Envoy reads it, and how many bytes of request bodies a
 * client of HTTP/2 may send before Envoy reads them (HTTP/2 allows no less than 65,535). A client can send about this
 * much in one round trip. On the loopback address that is no limit; for a client that is 100 ms away, 256 KiB mean
 * 2.5 MB a second.
 */
const NEAR = { receiveBytes: 64 << 10, windowBytes: 65_535 };
const FAR = { receiveBytes: 256 << 10, windowBytes: 256 << 10 };
const LOOPBACK = /^(127\.|::1$)/;

const TEMPLATE = new URL('../../envoy/bootstrap.yaml', import.meta.url);

/**
 * envoy/bootstrap.yaml with its placeholders filled in, and with tracing where there is a collector. Comments stay.
 */
export function renderBootstrap(options: BootstrapOptions): string {
  const text = spread(fillTemplate(options), options.workerSockets);
  const { collector, adminUrl } = options;
  if (collector === undefined && adminUrl.protocol === 'http:') return text;
  const document = parseDocument(text);
  if (adminUrl.protocol === 'https:') addAdminTls(document, addressOf(adminUrl).host);
  if (collector !== undefined) addTracing(document, collector);
  return document.toString({ lineWidth: 0 });
}

/** For several workers the bootstrap is built from the parsed YAML, so comments are lost. */
function spread(text: string, sockets: readonly string[] = []): string {
  if (sockets.length < 2) return text;
  const options = { aliasDuplicateObjects: false, lineWidth: 0, defaultStringType: 'QUOTE_DOUBLE' } as const;
  return stringify(withWorkers(parse(text), sockets), { ...options, defaultKeyType: 'PLAIN' });
}

function addAdminTls(document: Document, host: string): void {
  const clusters = document.getIn(['static_resources', 'clusters']) as YAMLSeq<YAMLMap>;
  const admin = clusters.items.find((cluster) => cluster.get('name') === 'admin');
  admin?.set('transport_socket', document.createNode(transportSocket(host)));
}

function fillTemplate(options: BootstrapOptions): string {
  const admin = addressOf(options.adminUrl);
  const { receiveBytes, windowBytes } = LOOPBACK.test(options.gatewayAddress) ? NEAR : FAR;
  const values: Record<string, string | number> = {
    GATEWAY_ADDRESS: options.gatewayAddress,
    GATEWAY_PORT: options.gatewayPort,
    GATEWAY_RECEIVE_BYTES: receiveBytes,
    GATEWAY_WINDOW_BYTES: windowBytes,
    ADMIN_CLUSTER_TYPE: isIP(admin.host) === 0 ? 'LOGICAL_DNS' : 'STATIC',
    ADMIN_ADDRESS: admin.host,
    ADMIN_PORT: admin.port,
    ENGINE_SOCKET: options.engineSocket,
    ENVOY_ADMIN_SOCKET: options.envoyAdminSocket,
    CLUSTERS_FILE: options.clustersFile,
    CLUSTERS_FOLDER: dirname(options.clustersFile),
  };
  return readFileSync(TEMPLATE, 'utf8').replaceAll(/\$\{([A-Z_]+)\}/g, (_place, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`envoy/bootstrap.yaml names an unknown place: ${name}`);
    // Placeholders for text stand inside double quotes, where YAML reads JSON's escapes.
    return JSON.stringify(String(value)).slice(1, -1);
  });
}
