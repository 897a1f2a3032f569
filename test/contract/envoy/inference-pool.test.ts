import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { type PortReservation, reservePort } from '../../../src/local/ports.js';
import {
  answerReply,
  chat,
  KEY,
  landedLog,
  PROJECT,
  streamAnswerReply,
  streamedText,
} from '../../support/chat.js';
import { DESTINATION, EndpointPicker } from '../../support/endpoint-picker.js';
import { type FakeProvider, startFakeProvider } from '../../support/fake-provider.js';
import { type Sluice, startSluice } from '../../support/start-sluice.js';
import { translateIstio } from '../../support/translated-gateway.js';
import { ENVOY_GATEWAY, ISTIO, type Way } from '../../support/ways.js';

/* Pods of an InferencePool, one of which an endpoint picker chooses for each request, as providers of ours. */

type Part = Record<string, ReturnType<typeof JSON.parse>>;

const TYPE = 'type.googleapis.com/envoy.extensions';
const PICKER = 'picker';
const PRIVATE = 'ann@example.com';

/**
 * Envoy 1.36 loses the end of a short stream that two such filters work on (envoyproxy/envoy#41654): it ends the answer
 * when our filter lets the head go and the picker's still has the rest.
 */
const SOUND: Way = { ...ISTIO, binary: ENVOY_GATEWAY.binary, missing: ENVOY_GATEWAY.missing };

describe.skipIf(SOUND.missing !== null)('an InferencePool', () => {
  let pods: FakeProvider[];
  let other: FakeProvider;
  let picker: EndpointPicker;
  let pool: PortReservation;
  let sluice: Sluice;

  beforeAll(async () => {
    pods = await Promise.all([startFakeProvider(), startFakeProvider()]);
    other = await startFakeProvider();
    picker = await EndpointPicker.start();
    pool = await reservePort();
    const way: Way = {
      ...SOUND,
      translate: (manifests, place) =>
        stringify(withPool(parse(translateIstio(manifests, place)), picker.port, pool.port)),
    };
    sluice = await startSluice({ config: configuration(pool.port, other.baseUrl), way });
  });
  afterAll(async () => {
    await sluice?.stop();
    picker?.stop();
    await pool?.release();
    for (const provider of [...(pods ?? []), other]) await provider?.stop();
  });
  beforeEach(() => {
    for (const provider of [...pods, other]) provider.reset();
    picker.seen.length = 0;
    picker.answered = 0;
  });

  const place = (pod: FakeProvider) => `127.0.0.1:${pod.port}`;

  describe.each(['together', 'behind'])('%s', (endpoint) => {
    it('serves a request with the chosen pod, with the text that the guards let through', async () => {
      picker.choose = () => ({ endpoint: place(pods[1]!) });
      pods[1]!.always(answerReply('Hi'));
      const answer = await chat(sluice, endpoint, {
        messages: [{ role: 'user', content: `I am ${PRIVATE}` }],
      });
      expect(answer.status, answer.text).toBe(200);
      expect(picker.seen.map((text) => JSON.parse(text))).toMatchObject([
        { model: 'llama', messages: [{ content: 'I am <EMAIL_ADDRESS>' }] },
      ]);
      const [received] = pods[1]!.requests;
      expect(received!.headers[DESTINATION]).toBe(place(pods[1]!));
      expect(received!.text).toBe(picker.seen[0]);
      expect(pods[0]!.requests).toHaveLength(0);
      expect(picker.answered).toBeGreaterThan(0);
      expect(await landedLog(sluice, answer.id)).toMatchObject({ status: 'success' });
    });

    it('serves a stream', async () => {
      picker.choose = () => ({ endpoint: place(pods[0]!) });
      pods[0]!.always(streamAnswerReply('On its ', 'way'));
      const answer = await chat(sluice, endpoint, { stream: true });
      expect(answer.status, answer.text).toBe(200);
      expect(streamedText(answer.text), answer.text).toBe('On its way');
      expect(await landedLog(sluice, answer.id)).toMatchObject({ status: 'success' });
    });

    it('ignores a pod that a client names', async () => {
      picker.choose = () => ({ endpoint: place(pods[0]!) });
      pods[0]!.always(answerReply('Hi'));
      const { status } = await chat(sluice, endpoint, {}, { [DESTINATION]: place(pods[1]!) });
      expect([status, pods[1]!.requests.length]).toEqual([200, 0]);
    });
  });

  it('without a free place makes the next model answer', async () => {
    picker.choose = () => ({ status: 429 });
    other.always(answerReply('Hi'));
    const answer = await chat(sluice, 'behind');
    expect(answer.status, answer.text).toBe(200);
    expect((await landedLog(sluice, answer.id)).attempts).toMatchObject([
      { provider: 'pool', status: 'rate_limited', http_status: 429 },
      { provider: 'other', status: 'success' },
    ]);
  });

  it('without a free place for the only model is an error', async () => {
    picker.choose = () => ({ status: 503 });
    const answer = await chat(sluice, 'together');
    expect(answer.status).toBeGreaterThanOrEqual(502);
    expect(answer.json).toMatchObject({ error: { code: 'upstream_unavailable' } });
    expect(await landedLog(sluice, answer.id)).toMatchObject({
      status: 'error',
      attempts: [{ status: 'server_error' }],
    });
  });
});

/**
 * The pool on a listener of its own, as a Gateway has it, and on the route of the provider `beside`, behind our filter. The
 * cluster goes where the picker's header says.
 */
function withPool(bootstrap: Part, pickerPort: number, poolPort: number): Part {
  const { listeners, clusters } = bootstrap.static_resources;
  const [listener] = listeners;
  const manager: Part = listener.filter_chains[0].filters[0].typed_config;
  const [gateway, router] = manager.http_filters;
  const filter = pickerFilter();
  manager.http_filters = [gateway, filter, router];
  const [host] = manager.route_config.virtual_hosts;
  for (const route of host.routes) {
    const isPool = route.route?.cluster.startsWith('provider-beside@');
    if (isPool) continue;
    route.typed_per_filter_config = {
      ...route.typed_per_filter_config,
      [PICKER]: { '@type': `${TYPE}.filters.http.ext_proc.v3.ExtProcPerRoute`, disabled: true },
    };
  }
  const beside = clusters.findIndex(({ name }: Part) => name.startsWith('provider-beside@'));
  clusters[beside] = poolCluster(clusters[beside].name);
  clusters.push(poolCluster('pool'), pickerCluster(pickerPort));
  listeners.push(poolListener(filter, router, poolPort));
  return bootstrap;
}

function pickerFilter(): Part {
  return {
    name: PICKER,
    typed_config: {
      '@type': `${TYPE}.filters.http.ext_proc.v3.ExternalProcessor`,
      grpc_service: { envoy_grpc: { cluster_name: PICKER } },
      message_timeout: '10s',
      metadata_options: { receiving_namespaces: { untyped: ['envoy.lb'] } },
      processing_mode: {
        request_header_mode: 'SEND',
        response_header_mode: 'SEND',
        request_body_mode: 'FULL_DUPLEX_STREAMED',
        response_body_mode: 'FULL_DUPLEX_STREAMED',
        request_trailer_mode: 'SEND',
        response_trailer_mode: 'SEND',
      },
    },
  };
}

function poolCluster(name: string): Part {
  return {
    name,
    type: 'ORIGINAL_DST',
    lb_policy: 'CLUSTER_PROVIDED',
    connect_timeout: '5s',
    original_dst_lb_config: { use_http_header: true, http_header_name: DESTINATION },
  };
}

function pickerCluster(port: number): Part {
  const options = `${TYPE}.upstreams.http.v3.HttpProtocolOptions`;
  const endpoint = { address: { socket_address: { address: '127.0.0.1', port_value: port } } };
  return {
    name: PICKER,
    type: 'STATIC',
    load_assignment: { cluster_name: PICKER, endpoints: [{ lb_endpoints: [{ endpoint }] }] },
    typed_extension_protocol_options: {
      'envoy.extensions.upstreams.http.v3.HttpProtocolOptions': {
        '@type': options,
        explicit_http_config: { http2_protocol_options: {} },
      },
    },
  };
}

function poolListener(filter: Part, router: Part, port: number): Part {
  const routes = [{ match: { prefix: '/' }, route: { cluster: 'pool', timeout: '0s' } }];
  const manager = {
    '@type': `${TYPE}.filters.network.http_connection_manager.v3.HttpConnectionManager`,
    stat_prefix: 'pool',
    route_config: { name: 'pool', virtual_hosts: [{ name: 'all', domains: ['*'], routes }] },
    http_filters: [filter, router],
  };
  return {
    name: 'pool',
    address: { socket_address: { address: '127.0.0.1', port_value: port } },
    filter_chains: [
      { filters: [{ name: 'envoy.filters.network.http_connection_manager', typed_config: manager }] },
    ],
  };
}

function configuration(poolPort: number, otherUrl: string): string {
  const plugins = [
    {
      plugin: 'pii_detection',
      phases: ['request'],
      config: { entities: ['EMAIL_ADDRESS'], reject_on_detection: false, mask: true },
    },
  ];
  return JSON.stringify({
    providers: {
      // Its route has both filters, so where it is does not matter.
      beside: { api: 'openai', base_url: 'http://127.0.0.1:9/v1' },
      pool: { api: 'openai', base_url: `http://127.0.0.1:${poolPort}/v1` },
      other: { api: 'openai', base_url: otherUrl },
    },
    projects: [
      {
        uid: PROJECT,
        name: 'test',
        api_keys: [{ name: 'test', key: KEY, scopes: ['inference'] }],
        endpoints: [
          { name: 'together', models: [{ provider: 'beside', model: 'llama' }], plugins },
          {
            name: 'behind',
            models: ['pool', 'other'].map((provider) => ({ provider, model: 'llama' })),
            plugins,
          },
        ],
      },
    ],
  });
}
