import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { waitFor } from '../../../src/local/processes/wait.js';
import { chunk } from '../../support/chat.js';
import { type CollectedSpan, startCollector } from '../../support/collector.js';
import { CHAT_PATH, COMPLETION, KEYS, MESSAGES, PROJECT, startGateway } from '../../support/gateway.js';
import { COLLECTOR, goProgram } from '../../support/go-program.js';
import { streamReply } from '../../support/replies.js';
import { missingPrograms } from '../../support/start-sluice.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const collectorProgram = missingPrograms === null ? await goProgram(COLLECTOR) : { missing: missingPrograms };
const missing = 'missing' in collectorProgram ? collectorProgram.missing : null;
const start = async () => {
  if ('missing' in collectorProgram) throw new Error(collectorProgram.missing);
  const collector = await startCollector(collectorProgram.binary, await temporaryFolder());
  onTestFinished(() => collector.stop());
  return collector;
};

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const CLIENT_SPAN = 'b7ad6b7169203331';
const TREE = {
  name: 'tree',
  models: ['small', 'large'].map((model) => ({ provider: 'fake', model, structured_output: true })),
  json_validation: true,
  plugins: [{ plugin: 'behaving', phases: ['request', 'response', 'log'], config: { behaviour: 'pass' } }],
};
const SCHEMA = {
  type: 'json_schema',
  json_schema: {
    name: 'answer',
    schema: { type: 'object', required: ['where'], properties: { where: { type: 'string' } } },
  },
};

/** Lines of `kind service name`, each below its parent. */
const STREAM = 'async envoy.service.ext_proc.v3.ExternalProcessor.Process egress';
const TREE_OF_SPANS = [
  'Server sluice-envoy: ingress',
  `  Client sluice-envoy: ${STREAM}`,
  '    Internal sluice: sluice tree',
  '      Internal sluice: plugin behaving request',
  '      Client sluice: chat small',
  '        Internal sluice: hold answer',
  '        Internal sluice: validate output',
  '      Client sluice: chat large',
  '        Internal sluice: hold answer',
  '        Internal sluice: validate output',
  '      Internal sluice: plugin behaving response',
  '      Internal sluice: plugin behaving log',
  // One for each try.
  `  Client sluice-envoy: ${STREAM}`,
  `  Client sluice-envoy: ${STREAM}`,
];

function treeOf(spans: CollectedSpan[], parentId: string, depth = 0): string[] {
  // Envoy tells the span of a stream that it closed gracefully twice, with the same id.
  const distinct = new Map(spans.map((span) => [span.spanId, span]));
  return [...distinct.values()]
    .filter((span) => span.parentId === parentId)
    .sort((one, other) => one.startedAt - other.startedAt || one.name.localeCompare(other.name))
    .flatMap((span) => [
      `${'  '.repeat(depth)}${span.kind} ${span.service}: ${span.name}`,
      ...treeOf(spans, span.spanId, depth + 1),
    ]);
}

describe.skipIf(missing)(`OpenTelemetry's own collector${missing === null ? '' : ` (${missing})`}`, () => {
  it('accepts the spans and metrics of a request over gRPC', async () => {
    const collector = await start();
    const gateway = await startGateway({
      environment: {
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.grpcUrl,
        OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
        OTEL_SERVICE_NAME: 'sluice-test',
      },
    });
    let id: string;
    try {
      ({ id } = await gateway.ask({ temperature: 0.5 }));
      await gateway.log(id);
    } finally {
      // What waits is sent before the end.
      await gateway.stop();
    }
    const told = await waitFor(
      'the collector has it all',
      async () => {
        const text = await collector.received();
        for (const name of ['chat large', 'sluice support', 'insert logs', 'sluice.requests'])
          if (!text.includes(`: ${name}\n`)) throw new Error(`no ${name} yet`);
        return text;
      },
      { timeoutMs: 20_000 },
    );
    expect(told).toContain('-> service.name: Str(sluice-test)');
    expect(told).toContain(`-> sluice.log.id: Str(${id})`);
    expect(told).toContain(`-> gen_ai.response.id: Str(${COMPLETION.id})`);
    expect(told).toContain('-> gen_ai.request.temperature: Double(0.5)');
    expect(told).toContain('-> db.collection.name: Str(logs)');
  });

  it('receives over HTTP the whole tree of a streamed request with a fallback, three phases and feedback, and its metrics', async () => {
    const collector = await start();
    const gateway = await startGateway({
      settings: { plugins: [fileURLToPath(new URL('../../fixtures/plugins/behaving.mjs', import.meta.url))] },
      endpoints: [TREE],
      environment: {
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.httpUrl,
        OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf',
        OTEL_BSP_SCHEDULE_DELAY: '100',
      },
    });
    onTestFinished(() => gateway.stop());
    const pieces = (...contents: string[]) => contents.map((content) => chunk({ content }));
    const stream = (texts: string[]) => streamReply([...texts, `${chunk({}, 'stop')}data: [DONE]\n\n`]);
    gateway.provider.enqueue(stream(pieces('{"where":', '7}')), stream(pieces('{"where":', '"here"}')));
    const answer = await gateway.call('POST', `${CHAT_PATH}?key=secret-in-query`, {
      body: { model: 'tree', messages: MESSAGES, stream: true, response_format: SCHEMA },
      headers: { traceparent: `00-${TRACE}-${CLIENT_SPAN}-01` },
    });
    expect(answer.text).toContain('here');
    await gateway.log(answer.id);
    const given = await gateway.call('POST', `/${PROJECT}/feedback/${answer.id}`, {
      key: KEYS.feedback,
      body: { score: 1, weight: 1 },
    });
    expect(given.status).toBe(200);

    const spans = await waitFor(
      'the collector has the tree and what is linked to it',
      async () => {
        const all = await collector.spans();
        const names = all.map(({ name }) => name);
        for (const name of ['plugin behaving log', 'insert logs', 'insert feedback', 'ingress']) {
          if (!names.includes(name)) throw new Error(`no ${name} yet, of ${names.join(', ')}`);
        }
        // One stream for the request and one for each try; Envoy ends them after the answer.
        const streams = all.filter(({ traceId, name }) => traceId === TRACE && name === STREAM);
        return new Set(streams.map(({ spanId }) => spanId)).size === 3 ? all : undefined;
      },
      { timeoutMs: 30_000 },
    );
    const ours = spans.filter(({ traceId }) => traceId === TRACE);
    expect(treeOf(ours, CLIENT_SPAN)).toEqual(TREE_OF_SPANS);

    const find = (name: string) => spans.find((span) => span.name === name)!;
    expect(find('ingress').attributes).toMatchObject({
      'sluice.log.id': answer.id,
      'url.path': '/v1/chat/completions',
    });
    expect(await collector.received()).not.toContain('secret-in-query');
    expect(find('sluice tree').attributes).toMatchObject({
      'sluice.log.id': answer.id,
      'sluice.endpoint': 'tree',
    });
    expect(find('chat small').attributes).toMatchObject({
      'sluice.attempt.number': '1',
      'sluice.validation.outcome': 'invalid',
      'gen_ai.request.stream': 'true',
      'gen_ai.output.type': 'json',
    });
    expect(find('chat large').attributes).toMatchObject({
      'sluice.attempt.number': '2',
      'sluice.fallback.reason': 'invalid_output',
      'sluice.validation.outcome': 'valid',
    });
    expect(find('plugin behaving log').attributes).toMatchObject({
      'sluice.plugin.phase': 'log',
      'sluice.plugin.outcome': 'passed',
    });
    // Each provider is told the place of its own try.
    expect(gateway.provider.requests.map(({ headers }) => headers.traceparent)).toEqual(
      ['small', 'large'].map((model) => `00-${TRACE}-${find(`chat ${model}`).spanId}-01`),
    );
    const exchange = { traceId: TRACE, spanId: find('sluice tree').spanId };
    expect(find('insert logs').links).toContainEqual(exchange);
    expect(find('insert feedback').links).toContainEqual(exchange);
    expect(await collector.received()).toContain('-> db.collection.name: Str(logs)');

    // What waits is sent before the end.
    await gateway.stop();
    const isCounted = async () => (await collector.received()).includes(': sluice.requests\n');
    await waitFor('the collector has the metrics', isCounted, { timeoutMs: 20_000 });
  });
});
