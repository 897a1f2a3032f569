import type { DialectId } from '../../core/dialect-ids.js';
import type { LogRecord } from '../../core/log-record.js';
import type { ProviderApi } from '../../core/settings.js';
import type { ExchangeDetails } from '../exchange-details.js';
import { formatTraceparent, newTraceParent, parseTraceparent, type TraceParent } from './trace-context.js';

/** The headers that a request's trace can come with. */
export interface TraceParents {
  /** The client's own. */
  traceparent?: string;
  /** Envoy's, from the metadata of its gRPC stream: below the client's where Envoy traces too. */
  envoyTraceparent?: string;
}

/** `validate output`: against the request's schema. `hold answer`: until all that may go to the client is known. */
export type WorkName = 'validate output' | 'hold answer';

/** The trace of one exchange. */
export interface ExchangeTrace {
  /** 32 hex digits: the client's, Envoy's, or our own. */
  readonly traceId: string;
  /** 16 hex digits: the exchange's own span, where somebody records it and will see `end`'s details. */
  readonly spanId?: string;
  /** The whole request is on its spans, as `end`'s details have it. */
  readonly showsRequest?: boolean;
  /** Opens the span of a try, counted from 1; `traceparent` goes to the provider. */
  attempt(
    number: number,
    api: ProviderApi,
    model: string,
    asked?: DialectId,
  ): { readonly traceparent: string };
  /** Opens a span of work that takes time of its own, on a try's answer; what is returned closes it. */
  work(name: WorkName, attempt: number): (outcome?: string) => void;
  /** Closes everything from the finished record. */
  end(record: LogRecord, details?: ExchangeDetails): void;
}

/**
 * The trace that an exchange is part of, and whether Envoy's span is the parent. The client's trace wins; in it,
 * Envoy's span stands between the client's and ours.
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

/** Where nobody listens: the parent's place is passed on as it came, or else one of our own that is not sampled. */
export function passOnTrace(parents: TraceParents): ExchangeTrace {
  return new PassedOnTrace(parentOf(parents).parent ?? newTraceParent());
}

/** A trace without spans. Most exchanges have one, so it does as good as nothing. */
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
