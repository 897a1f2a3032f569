import type { Followed, Sampling } from './traces/sampling.js';

/** The exporters that the standard OTEL_* variables and our own ask for. */
export interface Exporters {
  /** The names of the exporters of spans; empty where there are none. */
  traces: readonly string[];
  /** Whether one of them is an OTLP collector, to which Envoy can send spans too. */
  otlpTraces: boolean;
  sampling: Sampling;
  /** Whether metrics are exported over OTLP. `/metrics` always exists. */
  metrics: boolean;
  /** Whether spans contain messages of clients and models. */
  content: boolean;
  /** Whether spans have the attributes of OpenInference in addition to those of OpenTelemetry. */
  openinference: boolean;
}

/**
 * Nothing is exported unless an endpoint or an exporter is configured: the SDK's default is a local collector that
 * rarely exists.
 */
export function chooseExporters(environment: NodeJS.ProcessEnv): Exporters {
  const on = !isTrue(environment.OTEL_SDK_DISABLED);
  const target = environment.OTEL_EXPORTER_OTLP_ENDPOINT;
  const traces = environment.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || target;
  const metrics = environment.OTEL_EXPORTER_OTLP_METRICS_ENDPOINT || target;
  const traceExporters = namesIn(environment.OTEL_TRACES_EXPORTER, traces);
  const exportsTraces = on && !traceExporters.includes('none');
  const sampler = environment.OTEL_TRACES_SAMPLER?.trim() ?? '';
  return {
    traces: exportsTraces ? traceExporters : [],
    otlpTraces: exportsTraces && traceExporters.includes('otlp'),
    sampling: { follows: followedBy(sampler), share: shareOf(sampler, environment.OTEL_TRACES_SAMPLER_ARG) },
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

/** The samplers of the specification. Each name ends with what it does with a trace. */
const SAMPLERS = /^(?:parentbased_)?(always_on|always_off|traceidratio)$/;

/**
 * Whose sampling decision is followed. The default, also for an unknown name, is `parentbased_always_on`. For a ratio of
 * traces Envoy decides where Envoy traces too: its algorithm differs from the SDK's, so each would choose other traces.
 */
function followedBy(sampler: string): Followed {
  if (sampler === 'traceidratio') return 'envoy';
  return sampler === 'always_on' || sampler === 'always_off' ? 'nobody' : 'parent';
}

/** The share of traces to sample. An invalid ratio means all, and so does an unknown sampler. */
function shareOf(sampler: string, argument: string | undefined): number {
  const taken = SAMPLERS.exec(sampler)?.[1];
  if (taken === 'always_off') return 0;
  const share = Number(argument?.trim() || 1);
  return taken === 'traceidratio' && isShare(share) ? share : 1;
}

function isShare(number: number): boolean {
  return number >= 0 && number <= 1;
}

/** What is wrong with the sampler's variables, in words for the operator. */
export function samplerMistake(environment: NodeJS.ProcessEnv): string | undefined {
  const sampler = environment.OTEL_TRACES_SAMPLER?.trim();
  const argument = environment.OTEL_TRACES_SAMPLER_ARG?.trim();
  if (sampler && !SAMPLERS.test(sampler)) {
    return `OTEL_TRACES_SAMPLER: there is no sampler "${sampler}"; parentbased_always_on is used`;
  }
  if (!sampler?.endsWith('traceidratio') || !argument || isShare(Number(argument))) return undefined;
  return `OTEL_TRACES_SAMPLER_ARG: "${argument}" is not a number from 0 to 1; 1 is used`;
}

function isTrue(value: string | undefined): boolean {
  return value?.trim().toLowerCase() === 'true';
}
