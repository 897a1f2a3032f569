import { describe, expect, it } from 'vitest';
import { chooseExporters } from './exporters.js';

describe('the standard OTEL_* variables', () => {
  it.each([
    ['nothing', {}, { traces: false, metrics: false }],
    ['a collector', { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318' }, { traces: true, metrics: true }],
    [
      'a collector of traces',
      { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://c' },
      { traces: true, metrics: false },
    ],
    [
      'a collector of metrics',
      { OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: 'http://c' },
      { traces: false, metrics: true },
    ],
    [
      'exporters by name',
      { OTEL_TRACES_EXPORTER: 'otlp', OTEL_METRICS_EXPORTER: 'otlp' },
      { traces: true, metrics: true },
    ],
    ['spans on the terminal', { OTEL_TRACES_EXPORTER: 'console' }, { traces: true, metrics: false }],
    [
      'a collector, but no traces',
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c', OTEL_TRACES_EXPORTER: 'none' },
      { traces: false, metrics: true },
    ],
    [
      'a collector, but metrics for Prometheus only',
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c', OTEL_METRICS_EXPORTER: 'prometheus' },
      { traces: true, metrics: false },
    ],
    [
      'a collector, with all switched off',
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c', OTEL_SDK_DISABLED: 'true' },
      { traces: false, metrics: false },
    ],
  ])('say what is exported: %s', (_, environment, expected) => {
    expect(chooseExporters(environment)).toMatchObject({ ...expected, content: false, openinference: false });
  });

  it('let messages onto spans only where they say so', () => {
    const variable = 'OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT';
    expect(chooseExporters({ [variable]: 'true' }).content).toBe(true);
    expect(chooseExporters({ [variable]: 'false' }).content).toBe(false);
  });

  it.each([
    [undefined, 'parent'],
    ['parentbased_traceidratio', 'parent'],
    ['parentbased_always_off', 'parent'],
    ['a name that the SDK does not know', 'parent'],
    ['always_on', 'nobody'],
    ['traceidratio', 'envoy'],
  ])('say whose decision to sample is followed: %s, %s', (sampler, expected) => {
    expect(chooseExporters({ OTEL_TRACES_SAMPLER: sampler }).follows).toBe(expected);
  });

  it.each([
    [undefined, 1],
    ['0.25', 0.25],
    ['0', 0],
    ['7', 1],
    ['nonsense', 1],
  ])('say the share of traces: %s, %s', (argument, expected) => {
    expect(chooseExporters({ OTEL_TRACES_SAMPLER_ARG: argument }).share).toBe(expected);
  });

  it('are joined by the one for OpenInference', () => {
    expect(chooseExporters({ SLUICE_OPENINFERENCE: 'true' }).openinference).toBe(true);
    expect(chooseExporters({ SLUICE_OPENINFERENCE: 'no' }).openinference).toBe(false);
  });

  it.each([
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318' }, true],
    [{ OTEL_TRACES_EXPORTER: 'otlp' }, true],
    [{ OTEL_TRACES_EXPORTER: 'console' }, false],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318', OTEL_TRACES_EXPORTER: 'none' }, false],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318', OTEL_SDK_DISABLED: 'true' }, false],
    [{ OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: 'http://c:4318' }, false],
    [{}, false],
  ])('say whether Envoy has a collector: %j is %s', (environment, expected) => {
    expect(chooseExporters(environment).otlpTraces).toBe(expected);
  });
});
