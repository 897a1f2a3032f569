import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { Secret } from '../core/secret.js';
import type { Provider } from '../core/settings.js';
import { renderClusters } from './clusters.js';

function provider(base_url: string, more: Partial<Provider> = {}): Provider {
  return {
    name: 'local',
    api: 'openai',
    base_url,
    headers: {},
    responses: false,
    prices: {},
    forward_headers: [],
    ...more,
  };
}

function clusterOf(base_url: string) {
  const [cluster] = parse(renderClusters([provider(base_url)])).resources;
  const { endpoint } = cluster.load_assignment.endpoints[0].lb_endpoints[0];
  return {
    cluster,
    endpoint,
    address: endpoint.address.socket_address,
    tls: cluster.transport_socket?.typed_config,
  };
}

describe('the cluster of a provider', () => {
  it.each([
    ['http://127.0.0.1:9101/v1', '127.0.0.1', 9101, '127.0.0.1:9101', 'STATIC', false],
    ['http://models.internal/v1', 'models.internal', 80, 'models.internal', 'LOGICAL_DNS', false],
    ['https://api.openai.com/v1', 'api.openai.com', 443, 'api.openai.com', 'LOGICAL_DNS', true],
    ['https://models.internal:8443', 'models.internal', 8443, 'models.internal:8443', 'LOGICAL_DNS', true],
    ['http://[::1]:9101/v1', '::1', 9101, '[::1]:9101', 'STATIC', false],
    ['https://10.0.0.1/v1', '10.0.0.1', 443, '10.0.0.1', 'STATIC', true],
  ])('of %s', (url, host, port, hostname, type, tls) => {
    const { cluster, endpoint, address, tls: options } = clusterOf(url);
    expect([cluster.name, cluster.alt_stat_name]).toEqual([
      `provider-local@${new URL(url).origin}`,
      'provider-local',
    ]);
    expect([address.address, address.port_value, endpoint.hostname, cluster.type]).toEqual([
      host,
      port,
      hostname,
      type,
    ]);
    expect(options !== undefined).toBe(tls);
    if (tls) expect(options.sni).toBe(host);
  });

  it("checks the provider's certificate against its own name", () => {
    const context = clusterOf('https://api.openai.com/v1').tls.common_tls_context.validation_context;
    expect(context.match_typed_subject_alt_names).toEqual([
      { san_type: 'DNS', matcher: { exact: 'api.openai.com' } },
    ]);
    expect(context.trusted_ca.filename).toBeTruthy();
    const ip = clusterOf('https://10.0.0.1/v1').tls.common_tls_context.validation_context;
    expect(ip.match_typed_subject_alt_names[0].san_type).toBe('IP_ADDRESS');
  });

  it.each([
    ['https://api.example.com/v1', '30s'],
    ['http://127.0.0.1:8000/v1', '4s'],
  ])('closes an idle connection to %s before its server does', (url, after) => {
    const [options] = Object.values<{ common_http_protocol_options: object }>(
      clusterOf(url).cluster.typed_extension_protocol_options,
    );
    expect(options!.common_http_protocol_options).toEqual({ idle_timeout: after });
  });

  it('exists once for each provider, without its credential, and with the same text for the same providers', () => {
    const two = [
      provider('http://127.0.0.1:1/v1', { name: 'one', credential: new Secret('my-secret') }),
      provider('http://127.0.0.1:2/v1', { name: 'two', headers: { 'x-key': 'other-secret' } }),
    ];
    const text = renderClusters(two);
    expect(parse(text).resources.map((cluster: { name: string }) => cluster.name)).toEqual([
      'provider-one@http://127.0.0.1:1',
      'provider-two@http://127.0.0.1:2',
    ]);
    expect(text).not.toMatch(/secret/);
    expect(renderClusters(two)).toBe(text);
    expect(parse(renderClusters([])).resources).toEqual([]);
  });
});
