import {
  type Attributes,
  type AttributeValue,
  type HrTime,
  type Link,
  type SpanContext,
  type SpanKind,
  type SpanStatus,
  SpanStatusCode,
  TraceFlags,
} from '@opentelemetry/api';
import type { Resource } from '@opentelemetry/resources';
import type { ReadableSpan, SpanProcessor } from '@opentelemetry/sdk-trace';
import { toHrTime } from '../hr-time.js';

/** What the spans of a process have in common, and who receives them when they end. */
export interface SpanOrigin {
  resource: Resource;
  instrumentationScope: { name: string; version: string };
  limits: SpanLimits;
  processors: readonly Pick<SpanProcessor, 'onEnd'>[];
}

/** The limits of a span. Longer values are cut; further attributes are dropped and counted. */
export interface SpanLimits {
  attributes: number;
  /** The most characters of a text. */
  valueLength: number;
  links: number;
}

export interface SpanStart {
  name: string;
  kind: SpanKind;
  /** The start in epoch milliseconds. */
  startMs: number;
  traceId: string;
  spanId: string;
  parent?: SpanParent;
}

export interface SpanParent {
  spanId: string;
  /** Whether the parent is from another process, or from an earlier run of this one. */
  isRemote: boolean;
}

const UNSET: SpanStatus = { code: SpanStatusCode.UNSET };
const NO_EVENTS: [] = [];
const NO_LINKS: Link[] = [];

/**
 * A recorded span, in the SDK's form for processors and exporters. The SDK's own takes three times as long to create,
 * because it validates its input. An attribute is set once.
 */
export class RecordedSpan implements ReadableSpan {
  name: string;
  readonly kind: SpanKind;
  readonly traceId: string;
  readonly spanId: string;
  readonly parent: SpanParent | undefined;
  readonly startMs: number;
  endMs = 0;
  ended = false;
  status = UNSET;
  /** Attributes: alternately a name and its value. */
  readonly pairs: AttributeValue[] = [];
  droppedAttributesCount = 0;
  links = NO_LINKS;
  droppedLinksCount = 0;
  readonly #origin: SpanOrigin;

  constructor(origin: SpanOrigin, { name, kind, startMs, traceId, spanId, parent }: SpanStart) {
    this.#origin = origin;
    this.name = name;
    this.kind = kind;
    this.startMs = startMs;
    this.traceId = traceId;
    this.spanId = spanId;
    this.parent = parent;
  }

  /** Sets an attribute. An undefined value is left out. */
  set(name: string, value: AttributeValue | null | undefined): void {
    if (value === undefined || value === null) return;
    const { attributes, valueLength } = this.#origin.limits;
    if (this.pairs.length >= 2 * attributes) {
      this.droppedAttributesCount++;
      return;
    }
    this.pairs.push(name, valueLength === Number.POSITIVE_INFINITY ? value : cut(value, valueLength));
  }

  setAll(attributes: Attributes): void {
    for (const [name, value] of Object.entries(attributes)) this.set(name, value);
  }

  fail(message?: string): void {
    this.status = { code: SpanStatusCode.ERROR, ...(message === undefined ? {} : { message }) };
  }

  /** Adds links. Where there are too many, the newest are kept. */
  link(links: Link[]): void {
    const most = this.#origin.limits.links;
    this.droppedLinksCount = Math.max(0, links.length - most);
    this.links = links.slice(this.droppedLinksCount);
  }

  /** Ends the span. Must be called once, with epoch milliseconds. */
  end(endMs: number): void {
    this.endMs = Math.max(this.startMs, endMs);
    this.ended = true;
    for (const processor of this.#origin.processors) processor.onEnd(this);
  }

  // What the SDK reads -----------------------------------------------------------------------------------

  spanContext(): SpanContext {
    return { traceId: this.traceId, spanId: this.spanId, traceFlags: TraceFlags.SAMPLED };
  }

  get parentSpanContext(): SpanContext | undefined {
    return this.parent && { traceId: this.traceId, traceFlags: TraceFlags.SAMPLED, ...this.parent };
  }

  get attributes(): Attributes {
    const entries: [string, AttributeValue][] = [];
    for (let at = 0; at < this.pairs.length; at += 2) {
      entries.push([this.pairs[at] as string, this.pairs[at + 1]!]);
    }
    return Object.fromEntries(entries);
  }

  get events(): [] {
    return NO_EVENTS;
  }

  get droppedEventsCount(): number {
    return 0;
  }

  get startTime(): HrTime {
    return toHrTime(this.startMs);
  }

  get endTime(): HrTime {
    return toHrTime(this.endMs);
  }

  get duration(): HrTime {
    return toHrTime(this.endMs - this.startMs);
  }

  get resource(): Resource {
    return this.#origin.resource;
  }

  get instrumentationScope(): { name: string; version: string } {
    return this.#origin.instrumentationScope;
  }
}

function cut(value: AttributeValue, length: number): AttributeValue {
  if (typeof value === 'string') return value.slice(0, length);
  if (!Array.isArray(value)) return value;
  return value.map((item) => (typeof item === 'string' ? item.slice(0, length) : item)) as AttributeValue;
}
