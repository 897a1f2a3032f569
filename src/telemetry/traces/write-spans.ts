import { type Link, SpanKind, TraceFlags } from '@opentelemetry/api';
import type { Clock } from '../../core/clock.js';
import { SluiceError } from '../../core/errors.js';
import type { TracedWrite, TraceWrite } from '../../core/trace-write.js';
import { ATTRIBUTES, DATABASE_SYSTEM, SPANS } from '../names.js';
import { RecordedSpan, type SpanOrigin } from './recorded-span.js';
import { isInShare, type Sampling } from './sampling.js';
import { newSpanId, newTraceId } from './trace-context.js';

export interface WriteSpanOptions {
  origin: SpanOrigin;
  sampling: Sampling;
  clock: Clock;
}

/**
 * A write for recorded exchanges is a trace of its own, with a link to each of them: it happens after their end, and
 * one write can serve many. A write for unrecorded ones has no span.
 */
export function createTraceWrite({ origin, sampling, clock }: WriteSpanOptions): TraceWrite {
  return async (write, work) => {
    const traceId = newTraceId();
    const links = isInShare(traceId, sampling.share) ? linksOf(write) : [];
    if (links.length === 0) return work();
    const { operation, collection, database, logs } = write;
    const startMs = clock.now();
    const started = clock.monotonic();
    const [name, kind] = [SPANS.write(operation, collection), SpanKind.CLIENT];
    const span = new RecordedSpan(origin, { name, kind, startMs, traceId, spanId: newSpanId() });
    span.link(links);
    span.set(ATTRIBUTES.databaseSystem, DATABASE_SYSTEM);
    span.set(ATTRIBUTES.databaseNamespace, database);
    span.set(ATTRIBUTES.databaseCollection, collection);
    span.set(ATTRIBUTES.databaseOperation, operation);
    // The conventions do not allow a batch size for a single write.
    if (logs.length > 1) span.set(ATTRIBUTES.databaseBatchSize, logs.length);
    try {
      return await work();
    } catch (error) {
      span.set(ATTRIBUTES.errorType, nameOf(error));
      span.fail();
      throw error;
    } finally {
      span.end(startMs + clock.monotonic() - started);
    }
  };
}

function linksOf({ logs }: TracedWrite): Link[] {
  return logs.flatMap(({ trace_id: traceId, _span_id: spanId }) =>
    traceId === null || spanId === undefined
      ? []
      : [{ context: { traceId, spanId, traceFlags: TraceFlags.SAMPLED } }],
  );
}

function nameOf(error: unknown): string {
  if (error instanceof SluiceError) return error.code;
  return error instanceof Error ? error.name : '_OTHER';
}
