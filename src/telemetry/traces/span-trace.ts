import {
  type Attributes,
  type Context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import type { Clock } from '../../core/clock.js';
import type { DialectId, LogRecord } from '../../core/log-record.js';
import type { Followed } from '../exporters.js';
import { type Lookup, timeToFirstChunkMs } from '../metrics/outcomes.js';
import { ATTRIBUTES, OWN_ATTRIBUTES, operationOf, SPANS } from '../names.js';
import { attemptEndAttributes, attemptStartAttributes } from './attempt-attributes.js';
import { inputMessages, outputMessages, systemInstructions, toolDefinitions } from './content.js';
import type { ExchangeDetails } from './details.js';
import {
  type ExchangeTrace,
  PassedOnTrace,
  parentOf,
  type TraceParents,
  type WorkName,
} from './exchange-trace.js';
import { decided } from './follow-envoy.js';
import { contentAttributes, kindOf, llmAttributes } from './openinference.js';
import { addPluginSpan } from './plugin-spans.js';
import { contextOf } from './span-context.js';
import { formatTraceparent, type TraceParent } from './trace-context.js';

export interface SpanOptions {
  tracer: Tracer;
  clock: Clock;
  lookup: Lookup;
  /** Whose decision not to sample is ours: the sampler need not be asked then. */
  follows: Followed;
  /** Whether messages go onto spans. */
  content: boolean;
  /** Whether spans have the attributes of OpenInference too. */
  openinference: boolean;
}

/** The trace of an exchange, with spans where its sampler wants them; it decides alike for all spans of a trace. */
export function startTrace(parents: TraceParents, options: SpanOptions): ExchangeTrace {
  const { parent, byEnvoy } = parentOf(parents);
  const { follows } = options;
  const isFollowed = follows === 'parent' || (follows === 'envoy' && byEnvoy);
  if (parent?.sampled === false && isFollowed) return new PassedOnTrace(parent);
  const spans = new SpanTrace(parent, byEnvoy, options);
  return spans.spanId !== undefined ? spans : new PassedOnTrace(parent ?? spans.place);
}

/** The spans of one exchange: itself, its tries and its plugins. */
class SpanTrace implements ExchangeTrace {
  readonly spanId?: string;
  readonly showsRequest: boolean;
  readonly #options: SpanOptions;
  readonly #span: Span;
  readonly #context: Context;
  readonly #attempts: { span: Span; startedAt: number }[] = [];
  /** Work whose end nobody told yet. */
  readonly #open = new Set<Span>();
  /** Epoch milliseconds and the same moment on the monotonic clock. */
  readonly #startedAt: number;
  readonly #startedMonotonic: number;

  constructor(parent: TraceParent | undefined, byEnvoy: boolean, options: SpanOptions) {
    this.#options = options;
    this.showsRequest = options.content || options.openinference;
    this.#startedAt = options.clock.now();
    this.#startedMonotonic = options.clock.monotonic();
    this.#span = options.tracer.startSpan(
      SPANS.exchange(null),
      { kind: byEnvoy ? SpanKind.INTERNAL : SpanKind.SERVER, startTime: this.#startedAt },
      parent === undefined ? ROOT_CONTEXT : byEnvoy ? decided(contextOf(parent)) : contextOf(parent),
    );
    this.#context = trace.setSpan(ROOT_CONTEXT, this.#span);
    if (this.#span.isRecording()) this.spanId = this.#span.spanContext().spanId;
  }

  get traceId(): string {
    return this.#span.spanContext().traceId;
  }

  get place(): TraceParent {
    return placeOf(this.#span);
  }

  attempt(
    number: number,
    api: string,
    model: string,
    asked: DialectId = 'openai.chat',
  ): { readonly traceparent: string } {
    const startedAt = this.#now();
    const operation = operationOf(asked);
    const span = this.#options.tracer.startSpan(
      SPANS.attempt(operation, model),
      {
        kind: SpanKind.CLIENT,
        startTime: startedAt,
        attributes: attemptStartAttributes(number, api, model, operation),
      },
      this.#context,
    );
    this.#attempts.push({ span, startedAt });
    return { traceparent: formatTraceparent(placeOf(span)) };
  }

  work(name: WorkName, attempt: number): (outcome?: string) => void {
    const parent = this.#attempts[attempt - 1]?.span;
    const span = this.#options.tracer.startSpan(
      name,
      {
        kind: SpanKind.INTERNAL,
        startTime: this.#now(),
        attributes: { [OWN_ATTRIBUTES.attemptNumber]: attempt },
      },
      parent === undefined ? this.#context : trace.setSpan(ROOT_CONTEXT, parent),
    );
    this.#open.add(span);
    return (outcome) => {
      if (!this.#open.delete(span)) return;
      if (outcome !== undefined) span.setAttribute(OWN_ATTRIBUTES.validationOutcome, outcome);
      span.end(this.#now());
    };
  }

  end(record: LogRecord, details: ExchangeDetails = {}): void {
    const endedAt = this.#now();
    for (const span of this.#open) span.end(endedAt);
    this.#open.clear();
    for (const index of this.#attempts.keys()) this.#endAttempt(record, index, details, endedAt);
    this.#addPlugins(record, endedAt);
    const { http_status, error } = record;
    this.#span.updateName(SPANS.exchange(record.endpoint));
    this.#span.setAttributes({
      [OWN_ATTRIBUTES.logId]: record._id,
      [OWN_ATTRIBUTES.projectUid]: record.project_uid,
      [OWN_ATTRIBUTES.endpoint]: record.endpoint ?? undefined,
      [ATTRIBUTES.httpStatusCode]: http_status,
      [ATTRIBUTES.errorType]: error?.code,
      ...(this.#options.openinference ? kindOf('CHAIN') : {}),
    });
    if (http_status >= 500) this.#span.setStatus({ code: SpanStatusCode.ERROR, message: error?.message });
    this.#span.end(endedAt);
  }

  #endAttempt(record: LogRecord, index: number, details: ExchangeDetails, endedAt: number): void {
    const { span, startedAt } = this.#attempts[index]!;
    const attempt = record.attempts[index];
    if (attempt !== undefined && span.isRecording()) {
      const last = index === record.attempts.length - 1;
      span.setAttributes(attemptEndAttributes(record, index, details, this.#options.lookup));
      if (this.#options.openinference) {
        const answer = last ? details.answer : undefined;
        span.setAttributes(llmAttributes(attempt, details, answer, this.#options.lookup));
      }
      if (last) span.setAttributes(this.#lastAttemptAttributes(record, details));
      if (attempt.status !== 'success' && attempt.status !== 'aborted') {
        span.setStatus({ code: SpanStatusCode.ERROR, message: attempt.error?.message });
      }
    }
    span.end(attempt === undefined ? endedAt : Math.min(endedAt, startedAt + attempt.duration_ms));
  }

  #lastAttemptAttributes(record: LogRecord, details: ExchangeDetails): Attributes {
    const { contentKept = false, request, answer } = details;
    const firstMs = record.stream ? timeToFirstChunkMs(record) : undefined;
    const attributes: Attributes = {
      [ATTRIBUTES.timeToFirstChunk]: firstMs === undefined ? undefined : firstMs / 1000,
    };
    if (!this.#options.content || !contentKept) return attributes;
    if (request !== undefined) {
      attributes[ATTRIBUTES.inputMessages] = inputMessages(request.messages);
      attributes[ATTRIBUTES.systemInstructions] = systemInstructions(request.messages);
      if (request.tools !== undefined)
        attributes[ATTRIBUTES.toolDefinitions] = toolDefinitions(request.tools);
    }
    if (answer !== undefined) attributes[ATTRIBUTES.outputMessages] = outputMessages(answer.choices);
    return this.#options.openinference ? { ...attributes, ...contentAttributes(details) } : attributes;
  }

  /**
   * A run says how long it took and not when. Those of the request stand behind each other at the start, where
   * they ran; those of the answer before the end.
   */
  #addPlugins(record: LogRecord, endedAt: number): void {
    const ran = record.plugin_runs.filter(({ outcome }) => outcome !== 'skipped');
    let at = this.#startedAt;
    for (const run of ran.filter(({ phase }) => phase === 'request')) {
      addPluginSpan(run, this.#context, [at, at + run.duration_ms], this.#options);
      at += run.duration_ms;
    }
    at = endedAt;
    for (const run of ran.filter(({ phase }) => phase === 'response').reverse()) {
      addPluginSpan(run, this.#context, [at - run.duration_ms, at], this.#options);
      at -= run.duration_ms;
    }
  }

  /** Epoch milliseconds that follow the monotonic clock, so that no span ends before it began. */
  #now(): number {
    return this.#startedAt + this.#options.clock.monotonic() - this.#startedMonotonic;
  }
}

function placeOf(span: Span): TraceParent {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return { traceId, spanId, sampled: (traceFlags & TraceFlags.SAMPLED) !== 0 };
}
