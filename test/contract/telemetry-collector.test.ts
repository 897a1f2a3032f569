import { describe, expect, it, onTestFinished } from 'vitest';
import { waitFor } from '../../src/local/processes/wait.js';
import { findCollector, startCollector } from '../support/collector.js';
import { COMPLETION, startGateway } from '../support/gateway.js';
import { missingPrograms } from '../support/start-sluice.js';
import { temporaryDirectory } from '../support/temporary-directory.js';

const binary = await findCollector(process.env);
const missing = missingPrograms ?? (binary === undefined ? 'set OTELCOL_BIN to a collector' : null);

describe.skipIf(missing)(`OpenTelemetry's own collector${missing === null ? '' : ` (${missing})`}`, () => {
  it.each(['http/protobuf', 'grpc'])('takes the spans and metrics of a request over %s', async (protocol) => {
    const collector = await startCollector(binary!, await temporaryDirectory());
    onTestFinished(() => collector.stop());
    const gateway = await startGateway({
      environment: {
        OTEL_EXPORTER_OTLP_ENDPOINT: protocol === 'grpc' ? collector.grpcUrl : collector.httpUrl,
        OTEL_EXPORTER_OTLP_PROTOCOL: protocol,
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
});
