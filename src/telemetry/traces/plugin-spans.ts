import { SpanKind } from '@opentelemetry/api';
import type { LogRecord, PluginRun } from '../../core/log-record.js';
import { ATTRIBUTES, OWN_ATTRIBUTES, SPANS } from '../names.js';
import { kindOf } from './openinference.js';
import { RecordedSpan, type SpanOrigin, type SpanParent } from './recorded-span.js';
import { newSpanId } from './trace-context.js';

export interface PluginSpanOptions {
  origin: SpanOrigin;
  /** Whether spans have the attributes of OpenInference too. */
  openinference: boolean;
}

/** Adds the span of one run, from its start to its end in epoch milliseconds. */
export function addPluginSpan(
  { plugin, phase, outcome, reason }: PluginRun,
  { traceId, parent }: { traceId: string; parent: SpanParent },
  [startMs, endMs]: [number, number],
  { origin, openinference }: PluginSpanOptions,
): void {
  const name = SPANS.plugin(plugin, phase);
  const kind = SpanKind.INTERNAL;
  const span = new RecordedSpan(origin, { name, kind, startMs, traceId, spanId: newSpanId(), parent });
  span.set(OWN_ATTRIBUTES.pluginName, plugin);
  span.set(OWN_ATTRIBUTES.pluginPhase, phase);
  span.set(OWN_ATTRIBUTES.pluginOutcome, outcome);
  if (openinference) span.setAll(kindOf('GUARDRAIL'));
  if (outcome === 'error' || outcome === 'timeout') {
    span.set(ATTRIBUTES.errorType, outcome);
    span.fail(reason);
  }
  span.end(endMs);
}

/**
 * Adds the runs of the LOG phase below the exchange's span, which has already ended; after a crash another process adds them.
 * The plugins ran one after the other, and the last one has just ended.
 */
export function addLogPhaseSpans(
  record: LogRecord,
  runs: readonly PluginRun[],
  now: number,
  options: PluginSpanOptions,
): void {
  const { trace_id: traceId, _span_id: spanId } = record;
  if (traceId === null || spanId === undefined) return;
  const below = { traceId, parent: { spanId, isRemote: true } };
  const ran = runs.filter(({ outcome }) => outcome !== 'skipped');
  let at = now - ran.reduce((sum, { duration_ms }) => sum + duration_ms, 0);
  for (const run of ran) {
    addPluginSpan(run, below, [at, at + run.duration_ms], options);
    at += run.duration_ms;
  }
}
