import type { LogRecord } from '../../core/log-record.js';
import type { ProviderApi } from '../../core/settings.js';
import type { ExchangeDetails } from './details.js';
import { formatTraceparent, newTraceParent, parseTraceparent, type TraceParent } from './trace-context.js';

/** The headers that a request's trace can come with. */
export interface TraceParents {
  /** The client's own, which wins. */
  traceparent?: string;
  /** Envoy's, from the metadata of its gRPC stream. */
  envoyTraceparent?: string;
}

/** The trace of one exchange. */
export interface ExchangeTrace {
  /** 32 hex digits: the client's, Envoy's, or our own. */
  readonly traceId: string;
  /** 16 hex digits: the exchange's own span, where somebody records it and will see `end`'s details. */
  readonly spanId?: string;
  /** Opens the span of a try, counted from 1; `traceparent` goes to the provider. */
  attempt(number: number, api: ProviderApi, model: string): { readonly traceparent: string };
  /** Closes everything from the finished record. */
  end(record: LogRecord, details?: ExchangeDetails): void;
}

/** The trace that an exchange is part of, with who began it. */
export function parentOf({ traceparent, envoyTraceparent }: TraceParents): {
  parent?: TraceParent;
  byEnvoy: boolean;
} {
  const client = parseTraceparent(traceparent);
  if (client !== undefined) return { parent: client, byEnvoy: false };
  const envoy = parseTraceparent(envoyTraceparent);
  return { parent: envoy, byEnvoy: envoy !== undefined };
}

/** Where nobody listens: the parent's place is passed on as it came, or a new one that is not sampled. */
export function passOnTrace(parents: TraceParents): ExchangeTrace {
  const place = parentOf(parents).parent ?? newTraceParent();
  const attempt = { traceparent: formatTraceparent(place) };
  return { traceId: place.traceId, attempt: () => attempt, end: () => {} };
}
