import { type Context, SpanKind, SpanStatusCode, type Tracer } from '@opentelemetry/api';
import type { LogRecord, PluginRun } from '../../core/log-record.js';
import { ATTRIBUTES, OWN_ATTRIBUTES, SPANS } from '../names.js';
import { decided } from './follow-envoy.js';
import { kindOf } from './openinference.js';
import { contextOf } from './span-context.js';

export interface PluginSpanOptions {
  tracer: Tracer;
  /** Whether spans have the attributes of OpenInference too. */
  openinference: boolean;
}

/** Adds the span of one run, from its start to its end in epoch milliseconds. */
export function addPluginSpan(
  { plugin, phase, outcome, reason }: PluginRun,
  parent: Context,
  [startTime, endTime]: [number, number],
  { tracer, openinference }: PluginSpanOptions,
): void {
  const attributes = {
    [OWN_ATTRIBUTES.pluginName]: plugin,
    [OWN_ATTRIBUTES.pluginPhase]: phase,
    [OWN_ATTRIBUTES.pluginOutcome]: outcome,
    ...(openinference ? kindOf('GUARDRAIL') : {}),
  };
  const span = tracer.startSpan(
    SPANS.plugin(plugin, phase),
    { kind: SpanKind.INTERNAL, startTime, attributes },
    parent,
  );
  if (outcome === 'error' || outcome === 'timeout') {
    span.setAttribute(ATTRIBUTES.errorType, outcome);
    span.setStatus({ code: SpanStatusCode.ERROR, message: reason });
  }
  span.end(endTime);
}

/**
 * Adds the runs of the LOG phase below the exchange's span, which has ended by then; after a crash another process
 * does. They ran one after the other, the last of them until now.
 */
export function addLogPhaseSpans(
  record: LogRecord,
  runs: readonly PluginRun[],
  now: number,
  options: PluginSpanOptions,
): void {
  const { trace_id: traceId, _span_id: spanId } = record;
  if (traceId === null || spanId === undefined) return;
  const parent = decided(contextOf({ traceId, spanId, sampled: true }));
  const ran = runs.filter(({ outcome }) => outcome !== 'skipped');
  let at = now - ran.reduce((sum, { duration_ms }) => sum + duration_ms, 0);
  for (const run of ran) {
    addPluginSpan(run, parent, [at, at + run.duration_ms], options);
    at += run.duration_ms;
  }
}
