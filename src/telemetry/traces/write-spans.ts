import { type Link, SpanKind, SpanStatusCode, TraceFlags, type Tracer } from '@opentelemetry/api';
import { SluiceError } from '../../core/errors.js';
import type { TracedWrite, TraceWrite } from '../../core/trace-write.js';
import { ATTRIBUTES, DATABASE_SYSTEM, SPANS } from '../names.js';

/**
 * A write that is about exchanges which were recorded is a trace of its own, with a link to each of them: it
 * comes after their end, and one write can be for many. A write for none of them is no span.
 */
export function createTraceWrite(tracer: Tracer): TraceWrite {
  return async (write, work) => {
    const links = linksOf(write);
    if (links.length === 0) return work();
    const { operation, collection, database, logs } = write;
    const span = tracer.startSpan(SPANS.write(operation, collection), {
      kind: SpanKind.CLIENT,
      root: true,
      links,
      attributes: {
        [ATTRIBUTES.databaseSystem]: DATABASE_SYSTEM,
        [ATTRIBUTES.databaseNamespace]: database,
        [ATTRIBUTES.databaseCollection]: collection,
        [ATTRIBUTES.databaseOperation]: operation,
        // The conventions want no size for a single one.
        [ATTRIBUTES.databaseBatchSize]: logs.length === 1 ? undefined : logs.length,
      },
    });
    try {
      return await work();
    } catch (error) {
      span.setAttribute(ATTRIBUTES.errorType, nameOf(error));
      span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
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
