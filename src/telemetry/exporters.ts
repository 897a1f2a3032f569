/** What the standard OTEL_* variables and our own one ask for. */
export interface Exporters {
  traces: boolean;
  /** Among them to a collector over OTLP, where Envoy's spans can go too. */
  otlpTraces: boolean;
  /** Whether the sampler leaves out each trace that its parent's sampler left out. */
  followsParent: boolean;
  /** Metrics over OTLP; `/metrics` is there in any case. */
  metrics: boolean;
  /** Messages of clients and models on spans. */
  content: boolean;
  /** The attributes of OpenInference beside those of OpenTelemetry. */
  openinference: boolean;
}

/**
 * Nothing is exported until somebody says where to, or names an exporter: the SDK by itself would send to a
 * collector on this machine that is rarely there.
 */
export function chooseExporters(environment: NodeJS.ProcessEnv): Exporters {
  const on = !isTrue(environment.OTEL_SDK_DISABLED);
  const target = environment.OTEL_EXPORTER_OTLP_ENDPOINT;
  const traces = environment.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || target;
  const metrics = environment.OTEL_EXPORTER_OTLP_METRICS_ENDPOINT || target;
  const traceExporters = namesIn(environment.OTEL_TRACES_EXPORTER, traces);
  const exportsTraces = on && traceExporters.length > 0 && !traceExporters.includes('none');
  return {
    traces: exportsTraces,
    otlpTraces: exportsTraces && traceExporters.includes('otlp'),
    followsParent: followsParent(environment.OTEL_TRACES_SAMPLER),
    metrics: on && namesIn(environment.OTEL_METRICS_EXPORTER, metrics).includes('otlp'),
    content: isTrue(environment.OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT),
    openinference: isTrue(environment.SLUICE_OPENINFERENCE),
  };
}

function namesIn(list: string | undefined, target: string | undefined): string[] {
  const names = (list ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  return names.length === 0 && target ? ['otlp'] : names;
}

/** The standard one is `parentbased_always_on`; so is, for the SDK, a name that it does not know. */
function followsParent(sampler: string | undefined): boolean {
  return !['always_on', 'always_off', 'traceidratio'].includes(sampler?.trim() ?? '');
}

function isTrue(value: string | undefined): boolean {
  return value?.trim().toLowerCase() === 'true';
}
