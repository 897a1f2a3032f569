import { SpanKind } from '@opentelemetry/api';
import type { Clock } from '../../core/clock.js';
import type { DialectId } from '../../core/dialect-ids.js';
import type { LogRecord } from '../../core/log-record.js';
import type { ExchangeDetails } from '../exchange-details.js';
import { type Lookup, timeToFirstChunkMs } from '../metrics/outcomes.js';
import { ATTRIBUTES, OWN_ATTRIBUTES, operationOf, SPANS } from '../names.js';
import { describeAttempt, startAttempt } from './attempt-attributes.js';
import { inputMessages, outputMessages, systemInstructions, toolDefinitions } from './content.js';
import {
  type ExchangeTrace,
  PassedOnTrace,
  parentOf,
  type TraceParents,
  type WorkName,
} from './exchange-trace.js';
import { contentAttributes, kindOf, llmAttributes } from './openinference.js';
import { addPluginSpan } from './plugin-spans.js';
import { RecordedSpan, type SpanOrigin, type SpanParent } from './recorded-span.js';
import { isSampled, type Sampling } from './sampling.js';
import { formatTraceparent, newSpanId, newTraceParent } from './trace-context.js';

export interface SpanOptions {
  origin: SpanOrigin;
  sampling: Sampling;
  clock: Clock;
  lookup: Lookup;
  /** Whether spans contain messages. */
  content: boolean;
  /** Whether spans have the attributes of OpenInference too. */
  openinference: boolean;
}

/** The trace of an exchange, with spans where it is sampled. */
export function startTrace(parents: TraceParents, options: SpanOptions): ExchangeTrace {
  const { parent, byEnvoy } = parentOf(parents);
  const place = parent ?? newTraceParent();
  const from = byEnvoy ? 'envoy' : parent === undefined ? 'nobody' : 'client';
  if (!isSampled(options.sampling, place, from)) return new PassedOnTrace(place);
  const above = parent === undefined ? undefined : { spanId: parent.spanId, isRemote: true };
  return new SpanTrace(place.traceId, above, byEnvoy ? SpanKind.INTERNAL : SpanKind.SERVER, options);
}

/** The spans of one exchange: its own, and those of its attempts and plugins. */
class SpanTrace implements ExchangeTrace {
  readonly traceId: string;
  readonly spanId: string;
  readonly showsRequest: boolean;
  readonly #options: SpanOptions;
  readonly #span: RecordedSpan;
  /** The parent of everything directly below the exchange's span. */
  readonly #below: { traceId: string; parent: SpanParent };
  readonly #attempts: RecordedSpan[] = [];
  /** Work whose span is still open. */
  readonly #open = new Set<RecordedSpan>();
  /** The start in epoch milliseconds, and the same moment on the monotonic clock. */
  readonly #startedAt: number;
  readonly #startedMonotonic: number;

  constructor(traceId: string, parent: SpanParent | undefined, kind: SpanKind, options: SpanOptions) {
    this.#options = options;
    this.showsRequest = options.content || options.openinference;
    this.#startedAt = options.clock.now();
    this.#startedMonotonic = options.clock.monotonic();
    this.traceId = traceId;
    this.spanId = newSpanId();
    this.#span = new RecordedSpan(options.origin, {
      name: SPANS.exchange(null),
      kind,
      startMs: this.#startedAt,
      traceId,
      spanId: this.spanId,
      parent,
    });
    this.#below = { traceId, parent: { spanId: this.spanId, isRemote: false } };
  }

  attempt(
    number: number,
    api: string,
    model: string,
    asked: DialectId = 'openai.chat',
  ): { readonly traceparent: string } {
    const operation = operationOf(asked);
    const span = this.#start(SPANS.attempt(operation, model), SpanKind.CLIENT, this.#below.parent);
    startAttempt(span, number, api, model, operation);
    this.#attempts.push(span);
    return { traceparent: formatTraceparent({ traceId: this.traceId, spanId: span.spanId, sampled: true }) };
  }

  work(name: WorkName, attempt: number): (outcome?: string) => void {
    const above = this.#attempts[attempt - 1];
    const parent = above === undefined ? this.#below.parent : { spanId: above.spanId, isRemote: false };
    const span = this.#start(name, SpanKind.INTERNAL, parent);
    span.set(OWN_ATTRIBUTES.attemptNumber, attempt);
    this.#open.add(span);
    return (outcome) => {
      if (!this.#open.delete(span)) return;
      span.set(OWN_ATTRIBUTES.validationOutcome, outcome);
      span.end(this.#now());
    };
  }

  end(record: LogRecord, details: ExchangeDetails = {}): void {
    const endedAt = this.#now();
    for (const span of this.#open) span.end(endedAt);
    this.#open.clear();
    for (const index of this.#attempts.keys()) this.#endAttempt(record, index, details, endedAt);
    this.#addPlugins(record, endedAt);
    const span = this.#span;
    const { status, http_status, error } = record;
    span.name = SPANS.exchange(record.endpoint);
    span.set(OWN_ATTRIBUTES.logId, record._id);
    span.set(OWN_ATTRIBUTES.projectUid, record.project_uid);
    span.set(OWN_ATTRIBUTES.endpoint, record.endpoint);
    span.set(ATTRIBUTES.httpStatusCode, http_status);
    span.set(ATTRIBUTES.errorType, error?.code);
    if (this.#options.openinference) span.setAll(kindOf('CHAIN'));
    // A stream that broke after its headers were sent has status 200. A mistake of the client is not a failure of the server.
    if (http_status >= 500 || (status === 'error' && http_status < 400)) span.fail(error?.message);
    span.end(endedAt);
  }

  #start(name: string, kind: SpanKind, parent: SpanParent): RecordedSpan {
    const { traceId } = this;
    const [startMs, spanId] = [this.#now(), newSpanId()];
    return new RecordedSpan(this.#options.origin, { name, kind, startMs, traceId, spanId, parent });
  }

  #endAttempt(record: LogRecord, index: number, details: ExchangeDetails, endedAt: number): void {
    const span = this.#attempts[index]!;
    const attempt = record.attempts[index];
    if (attempt === undefined) {
      span.end(endedAt);
      return;
    }
    const { openinference, lookup } = this.#options;
    const isLast = index === record.attempts.length - 1;
    describeAttempt(span, record, index, details, lookup);
    if (openinference) {
      span.setAll(llmAttributes(attempt, details, isLast ? details.answer : undefined, lookup));
    }
    if (isLast) this.#describeLast(span, record, details);
    if (attempt.status !== 'success' && attempt.status !== 'aborted') span.fail(attempt.error?.message);
    span.end(Math.min(endedAt, span.startMs + attempt.duration_ms));
  }

  #describeLast(span: RecordedSpan, record: LogRecord, details: ExchangeDetails): void {
    const firstMs = timeToFirstChunkMs(record, details);
    if (firstMs !== undefined) span.set(ATTRIBUTES.timeToFirstChunk, firstMs / 1000);
    const { contentKept = false, request, answer } = details;
    if (!this.#options.content || !contentKept) return;
    if (request !== undefined) {
      span.set(ATTRIBUTES.inputMessages, inputMessages(request.messages));
      span.set(ATTRIBUTES.systemInstructions, systemInstructions(request.messages));
      if (request.tools !== undefined) span.set(ATTRIBUTES.toolDefinitions, toolDefinitions(request.tools));
    }
    if (answer !== undefined) span.set(ATTRIBUTES.outputMessages, outputMessages(answer.choices));
    if (this.#options.openinference) span.setAll(contentAttributes(details));
  }

  /**
   * Adds the spans of plugins. A run has a duration but no start time. Those of the request are placed one after the other at
   * the exchange's start, where they ran; those of the answer before its end.
   */
  #addPlugins(record: LogRecord, endedAt: number): void {
    if (record.plugin_runs.length === 0) return;
    const ran = record.plugin_runs.filter(({ outcome }) => outcome !== 'skipped');
    let at = this.#startedAt;
    for (const run of ran.filter(({ phase }) => phase === 'request')) {
      addPluginSpan(run, this.#below, [at, at + run.duration_ms], this.#options);
      at += run.duration_ms;
    }
    at = endedAt;
    for (const run of ran.filter(({ phase }) => phase === 'response').reverse()) {
      addPluginSpan(run, this.#below, [at - run.duration_ms, at], this.#options);
      at -= run.duration_ms;
    }
  }

  /** Epoch milliseconds, computed from the monotonic clock so that no span ends before it begins. */
  #now(): number {
    return this.#startedAt + this.#options.clock.monotonic() - this.#startedMonotonic;
  }
}
