import { isIP } from 'node:net';
import { stringify } from 'yaml';
import type { Provider } from '../core/settings.js';
import { providerCluster, providerStatistics } from './names.js';

export const HTTP_OPTIONS = 'envoy.extensions.upstreams.http.v3.HttpProtocolOptions';
/** Where the images of Debian, Alpine and Envoy keep the certificates that they trust. */
const TRUSTED_CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';

/**
 * How many bytes Envoy reads of one provider's connection before it serves others, because a model may send without
 * end.
 */
const READ_AT_ONCE = 65_536;

/**
 * The content of the file that Envoy watches, with one cluster per provider. The same providers always give the same
 * text.
 */
export function renderClusters(providers: Iterable<Provider>): string {
  const resources = [...providers].map(renderCluster);
  return stringify({ resources }, { aliasDuplicateObjects: false });
}

function renderCluster(provider: Provider) {
  const url = new URL(provider.base_url);
  const { host, port, tls } = addressOf(url);
  const name = providerCluster(provider);
  return {
    '@type': 'type.googleapis.com/envoy.config.cluster.v3.Cluster',
    name,
    alt_stat_name: providerStatistics(provider),
    // A public name often has many, changing addresses. LOGICAL_DNS keeps connections when they change.
    type: isIP(host) === 0 ? 'LOGICAL_DNS' : 'STATIC',
    ...(isIP(host) === 0 ? { dns_lookup_family: 'V4_PREFERRED' } : {}),
    connect_timeout: '5s',
    per_connection_buffer_limit_bytes: READ_AT_ONCE,
    // How often a request is retried is limited by its chain of models. Envoy's default circuit breaker (3 retries at
    // a time) would cut the chain short.
    circuit_breakers: {
      thresholds: [
        {
          max_connections: 1_000_000,
          max_pending_requests: 1_000_000,
          max_requests: 1_000_000,
          max_retries: 1_000_000,
        },
      ],
    },
    typed_extension_protocol_options: { [HTTP_OPTIONS]: httpOptions(tls) },
    load_assignment: loadAssignment(name, { hostname: url.host, host, port }),
    ...(tls ? { transport_socket: transportSocket(host) } : {}),
  };
}

/** A cluster with one address. auto_host_rewrite sends `hostname` as the Host header. */
export function loadAssignment(cluster: string, to: { hostname: string; host: string; port: number }) {
  const { hostname, host, port } = to;
  const endpoint = { hostname, address: { socket_address: { address: host, port_value: port } } };
  return { cluster_name: cluster, endpoints: [{ lb_endpoints: [{ endpoint }] }] };
}

/** The host and port of a URL. An IPv6 address is without its brackets. */
export function addressOf(url: URL): { host: string; port: number; tls: boolean } {
  const tls = url.protocol === 'https:';
  const port = url.port === '' ? (tls ? 443 : 80) : Number(url.port);
  return { host: url.hostname.replace(/^\[|\]$/g, ''), port, tls };
}

function httpOptions(tls: boolean) {
  return {
    '@type': `type.googleapis.com/${HTTP_OPTIONS}`,
    // The idle timeout is shorter than those of servers, so that no request is sent on a connection that is about to
    // be closed: providers have 60 s and more, typical Python and Node.js servers 5 s.
    common_http_protocol_options: { idle_timeout: tls ? '30s' : '4s' },
    ...(tls
      ? { auto_config: { http_protocol_options: {}, http2_protocol_options: {} } }
      : { explicit_http_config: { http_protocol_options: {} } }),
  };
}

/** TLS to a host. `trusted` is the path of a file with trusted certificates. */
export function transportSocket(host: string, trusted = TRUSTED_CERTIFICATES) {
  return tlsTo(host, { trusted });
}

/**
 * TLS to a host, also with a certificate of our own where the host requires one. All files are paths of PEM files.
 */
export function tlsTo(host: string, files: { trusted: string; client?: { cert: string; key: string } }) {
  const { trusted, client } = files;
  const own =
    client === undefined
      ? {}
      : {
          tls_certificates: [
            { certificate_chain: { filename: client.cert }, private_key: { filename: client.key } },
          ],
        };
  return {
    name: 'envoy.transport_sockets.tls',
    typed_config: {
      '@type': 'type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.UpstreamTlsContext',
      sni: host,
      common_tls_context: {
        ...own,
        validation_context: {
          trusted_ca: { filename: trusted },
          match_typed_subject_alt_names: [
            { san_type: isIP(host) === 0 ? 'DNS' : 'IP_ADDRESS', matcher: { exact: host } },
          ],
        },
      },
    },
  };
}
