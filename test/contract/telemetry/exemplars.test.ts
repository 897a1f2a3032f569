import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { waitFor } from '../../../src/local/processes/wait.js';
import { type Gateway, startGateway } from '../../support/gateway.js';
import { type OtlpReceiver, startOtlpReceiver } from '../../support/otlp-receiver.js';
import { findPrometheus, startPrometheus } from '../../support/prometheus.js';
import { missingPrograms } from '../../support/start-sluice.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const traceparent = (flags: string) => ({ traceparent: `00-${TRACE}-b7ad6b7169203331-${flags}` });
const found = missingPrograms === null ? await findPrometheus() : { missing: missingPrograms };
const missing = 'missing' in found ? found.missing : null;

describe.each([1, 2])('the histograms of an engine of %d worker(s)', (workers) => {
  let receiver: OtlpReceiver;
  let gateway: Gateway;

  beforeAll(async () => {
    if (missing !== null) return;
    receiver = await startOtlpReceiver();
    gateway = await startGateway({
      settings: { engine: { workers } },
      environment: { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, OTEL_METRICS_EXPORTER: 'none' },
    });
  });
  afterAll(async () => {
    await gateway?.stop();
    await receiver?.stop();
  });

  const metrics = async (accept: string) => {
    const answer = await fetch(`${gateway.sluice.adminUrl}/metrics`, { headers: { accept } });
    return { type: answer.headers.get('content-type'), text: await answer.text() };
  };

  it.skipIf(missing !== null)(
    `lead Prometheus to the trace of a request that was recorded${missing === null ? '' : ` (${missing})`}`,
    async () => {
      const { id } = await gateway.ask({}, { headers: traceparent('01') });
      await gateway.log(id);
      const { host } = new URL(gateway.sluice.adminUrl);
      const programs = 'programs' in found ? found.programs : '';
      const prometheus = await startPrometheus(programs, await temporaryFolder(), host);
      try {
        const labels = await waitFor(
          'Prometheus has the exemplar',
          async () => {
            const kept = await prometheus.exemplars('sluice_request_duration_seconds_bucket');
            return kept.find(({ trace_id }) => trace_id === TRACE);
          },
          { timeoutMs: 30_000 },
        );
        expect(labels.span_id).toMatch(/^[0-9a-f]{16}$/);
        // A scrape that came late on a busy machine leaves a gap.
        const countOf = async (query: string) => (await prometheus.query(query))[0]?.value[1];
        await expect.poll(() => countOf('sum(sluice_requests_total)')).toBe('1');
        await expect.poll(() => countOf('up')).toBe('1');
      } finally {
        await prometheus.stop();
      }
    },
  );

  it.skipIf(missing !== null)('have no exemplars in the older text format', async () => {
    const older = await metrics('text/plain');
    expect(older.type).toContain('version=0.0.4');
    expect(older.text).not.toContain('trace_id');
    expect(older.text).not.toContain('# EOF');
    const newer = await metrics('application/openmetrics-text;version=1.0.0,text/plain;q=0.5');
    expect(newer.type).toContain('application/openmetrics-text');
    expect(newer.text.endsWith('\n# EOF\n')).toBe(true);
  });
});
