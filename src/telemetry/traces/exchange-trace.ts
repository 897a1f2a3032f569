import type { DialectId } from '../../core/dialect-ids.js';
import type { LogRecord } from '../../core/log-record.js';
import type { ProviderApi } from '../../core/settings.js';
import type { ExchangeDetails } from '../exchange-details.js';
import { formatTraceparent, newTraceParent, parseTraceparent, type TraceParent } from './trace-context.js';

/** The headers that can carry a request's trace. */
export interface TraceParents {
  /** The client's own `traceparent`. */
  traceparent?: string;
  /** Envoy's `traceparent`, from the metadata of its gRPC stream. It is a child of the client's where Envoy traces. */
  envoyTraceparent?: string;
}

/**
 * Kinds of longer work. `validate output`: the output is validated against the request's schema. `hold answer`: the answer is
 * held until it is complete.
 */
export type WorkName = 'validate output' | 'hold answer';

/** The trace of one exchange. */
export interface ExchangeTrace {
  /** The trace id of 32 hex digits, from the client, from Envoy, or our own. */
  readonly traceId: string;
  /**
   * The id of 16 hex digits of the exchange's own span, where the span is recorded and the details given to `end` are used.
   */
  readonly spanId?: string;
  /** Whether its spans show the whole request, which is taken from the details given to `end`. */
  readonly showsRequest?: boolean;
  /** Opens the span of an attempt, counted from 1. The returned `traceparent` is sent to the provider. */
  attempt(
    number: number,
    api: ProviderApi,
    model: string,
    asked?: DialectId,
  ): { readonly traceparent: string };
  /** Opens a span for longer work on an attempt's answer; the returned function closes it. */
  work(name: WorkName, attempt: number): (outcome?: string) => void;
  /** Closes all spans, from the finished record. */
  end(record: LogRecord, details?: ExchangeDetails): void;
}

/**
 * The parent of an exchange's span, and whether it is Envoy's. The client's trace wins over one that Envoy began.
 * Where Envoy continues the client's trace, Envoy's span is the parent of ours.
 */
export function parentOf({ traceparent, envoyTraceparent }: TraceParents): {
  parent?: TraceParent;
  byEnvoy: boolean;
} {
  const client = parseTraceparent(traceparent);
  const envoy = parseTraceparent(envoyTraceparent);
  if (client !== undefined && client.traceId !== envoy?.traceId) return { parent: client, byEnvoy: false };
  return { parent: envoy, byEnvoy: envoy !== undefined };
}

/** A trace without recording: the parent is passed on unchanged, or a new one that is not sampled. */
export function passOnTrace(parents: TraceParents): ExchangeTrace {
  return new PassedOnTrace(parentOf(parents).parent ?? newTraceParent());
}

/** A trace without spans. Most exchanges have one, so it does almost nothing. */
export class PassedOnTrace implements ExchangeTrace {
  readonly #place: TraceParent;

  constructor(place: TraceParent) {
    this.#place = place;
  }

  get traceId(): string {
    return this.#place.traceId;
  }

  attempt(): { readonly traceparent: string } {
    return { traceparent: formatTraceparent(this.#place) };
  }

  work(): () => void {
    return ignore;
  }

  end(): void {}
}

function ignore(): void {}
