/** `parent`: whoever the request came from. `envoy`: Envoy alone, where its span is the parent. */
export type Followed = 'parent' | 'envoy' | 'nobody';

/** What the standard OTEL_* variables and our own one ask for. */
export interface Exporters {
  traces: boolean;
  /** Among them to a collector over OTLP, where Envoy's spans can go too. */
  otlpTraces: boolean;
  /** Whose decision to sample is ours too, where it is known. */
  follows: Followed;
  /** Of traces for which nobody else decides, where the sampler is one of a share. */
  share: number;
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
    follows: followedBy(environment.OTEL_TRACES_SAMPLER),
    share: shareOf(environment.OTEL_TRACES_SAMPLER_ARG),
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

/**
 * The standard one is `parentbased_always_on`; so is, for the SDK, a name that it does not know. A share of all traces is
 * taken by Envoy where it traces too: by other arithmetic than the SDK's, so that each would take another share.
 */
function followedBy(sampler: string | undefined): Followed {
  const name = sampler?.trim() ?? '';
  if (name === 'traceidratio') return 'envoy';
  return name === 'always_on' || name === 'always_off' ? 'nobody' : 'parent';
}

/** As the SDK reads it. */
function shareOf(text: string | undefined): number {
  const share = Number(text?.trim() || 1);
  return share >= 0 && share <= 1 ? share : 1;
}

function isTrue(value: string | undefined): boolean {
  return value?.trim().toLowerCase() === 'true';
}
