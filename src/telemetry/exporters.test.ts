import { describe, expect, it } from 'vitest';
import { chooseExporters, samplerMistake } from './exporters.js';

describe('the standard OTEL_* variables', () => {
  it.each([
    ['nothing', {}, { traces: [], metrics: false }],
    ['a collector', { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318' }, { traces: ['otlp'], metrics: true }],
    [
      'a collector of traces',
      { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://c' },
      { traces: ['otlp'], metrics: false },
    ],
    [
      'a collector of metrics',
      { OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: 'http://c' },
      { traces: [], metrics: true },
    ],
    [
      'exporters by name',
      { OTEL_TRACES_EXPORTER: 'otlp', OTEL_METRICS_EXPORTER: 'otlp' },
      { traces: ['otlp'], metrics: true },
    ],
    ['spans on the terminal', { OTEL_TRACES_EXPORTER: 'console' }, { traces: ['console'], metrics: false }],
    [
      'a collector, but no traces',
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c', OTEL_TRACES_EXPORTER: 'none' },
      { traces: [], metrics: true },
    ],
    [
      'a collector, but metrics for Prometheus only',
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c', OTEL_METRICS_EXPORTER: 'prometheus' },
      { traces: ['otlp'], metrics: false },
    ],
    [
      'a collector, with all switched off',
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c', OTEL_SDK_DISABLED: 'true' },
      { traces: [], metrics: false },
    ],
  ])('say what is exported: %s', (_, environment, expected) => {
    expect(chooseExporters(environment)).toMatchObject({ ...expected, content: false, openinference: false });
  });

  it('allow messages on spans only where they say so', () => {
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
  ])('decide whose decision to sample is followed: %s, %s', (sampler, expected) => {
    expect(chooseExporters({ OTEL_TRACES_SAMPLER: sampler }).sampling.follows).toBe(expected);
  });

  it.each([
    [undefined, undefined, 1],
    ['traceidratio', undefined, 1],
    ['traceidratio', '0.25', 0.25],
    ['parentbased_traceidratio', '0', 0],
    ['traceidratio', '7', 1],
    ['traceidratio', 'nonsense', 1],
    ['always_on', '0.25', 1],
    ['always_off', undefined, 0],
    ['parentbased_always_off', '1', 0],
    ['parentbased-always_off', undefined, 1],
    ['a_traceidratio', '0.25', 1],
  ])(
    'set the share of traces for which nobody else decides: %s of %s is %s',
    (sampler, argument, expected) => {
      const environment = { OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: argument };
      expect(chooseExporters(environment).sampling.share).toBe(expected);
    },
  );

  it.each([
    [undefined, undefined, undefined],
    ['parentbased_traceidratio', '0.1', undefined],
    ['always_on', 'nonsense', undefined],
    ['always', undefined, /OTEL_TRACES_SAMPLER: there is no sampler "always"/],
    ['traceidratio', '7', /OTEL_TRACES_SAMPLER_ARG: "7" is not a number from 0 to 1/],
    ['traceidratio', 'nonsense', /OTEL_TRACES_SAMPLER_ARG: "nonsense"/],
  ])('are a mistake where the sampler is unknown: %s of %s', (sampler, argument, expected) => {
    const mistake = samplerMistake({ OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: argument });
    if (expected === undefined) expect(mistake).toBeUndefined();
    else expect(mistake).toMatch(expected);
  });

  it('include the one for OpenInference', () => {
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
  ])('decide whether Envoy exports to a collector: %j is %s', (environment, expected) => {
    expect(chooseExporters(environment).otlpTraces).toBe(expected);
  });
});
