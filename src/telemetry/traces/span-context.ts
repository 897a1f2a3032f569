import { type Context, ROOT_CONTEXT, TraceFlags, trace } from '@opentelemetry/api';
import type { TraceParent } from './trace-context.js';

/** For spans below one that somebody else, or this process earlier, has made. */
export function contextOf({ traceId, spanId, sampled }: TraceParent): Context {
  const traceFlags = sampled ? TraceFlags.SAMPLED : TraceFlags.NONE;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
}
