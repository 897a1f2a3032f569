import { SpanKind, SpanStatusCode, TraceFlags } from '@opentelemetry/api';
import { ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ATTRIBUTES } from '../names.js';
import { writeSpans } from './otlp-spans.js';
import { RecordedSpan, type SpanLimits, type SpanOrigin } from './recorded-span.js';

const NO_LIMITS: SpanLimits = { attributes: 128, valueLength: Number.POSITIVE_INFINITY, links: 128 };
const SCOPE = { name: 'sluice', version: '1.2.3' };

const idOf = (bytes: number) =>
  fc
    .uint8Array({ minLength: bytes, maxLength: bytes })
    .map((id) => Buffer.from(id).toString('hex'))
    .filter((id) => /[1-9a-f]/.test(id));
const text = fc.string({ unit: 'binary', maxLength: 300 });
const value = fc.oneof(
  text,
  fc.boolean(),
  fc.double(),
  fc.maxSafeInteger(),
  fc.integer(),
  fc.array(text, { maxLength: 4 }),
);
/** One name says nothing of a plain object, in which the SDK keeps them. */
const ownName = fc.string({ minLength: 1 }).filter((name) => name !== '__proto__');
const attributes = fc.dictionary(fc.oneof(fc.constantFrom(...Object.values(ATTRIBUTES)), ownName), value, {
  maxKeys: 12,
  noNullPrototype: true,
});
const place = fc.record({ traceId: idOf(16), spanId: idOf(8) });
const spanParts = fc.record({
  name: text,
  kind: fc.constantFrom(SpanKind.INTERNAL, SpanKind.SERVER, SpanKind.CLIENT),
  startMs: fc.double({ min: 1e12, max: 4e12, noNaN: true }),
  lengthMs: fc.double({ min: -1, max: 1e6, noNaN: true }),
  place,
  parent: fc.option(fc.record({ spanId: idOf(8), isRemote: fc.boolean() }), { nil: undefined }),
  attributes,
  failure: fc.option(fc.record({ message: fc.option(text, { nil: undefined }) }), { nil: undefined }),
  links: fc.array(place, { maxLength: 5 }),
});
type SpanParts = typeof spanParts extends fc.Arbitrary<infer Parts> ? Parts : never;

const contextOf = ({ traceId, spanId }: { traceId: string; spanId: string }) => ({
  traceId,
  spanId,
  traceFlags: TraceFlags.SAMPLED,
});

function record(parts: SpanParts, origin: SpanOrigin): RecordedSpan {
  const { name, kind, startMs, parent } = parts;
  const span = new RecordedSpan(origin, { name, kind, startMs, ...parts.place, parent });
  span.setAll(parts.attributes);
  if (parts.failure !== undefined) span.fail(parts.failure.message);
  span.link(parts.links.map((link) => ({ context: contextOf(link) })));
  span.end(startMs + parts.lengthMs);
  return span;
}

/** One span by ours and by the SDK's own way, each as bytes. */
function bothWays(parts: SpanParts, limits: SpanLimits, resource: SpanOrigin['resource']) {
  const exporter = new InMemorySpanExporter();
  const provider = new TracerProvider({
    resource,
    spanLimits: {
      attributeCountLimit: limits.attributes,
      attributeValueLengthLimit: limits.valueLength,
      linkCountLimit: limits.links,
    },
    idGenerator: { generateTraceId: () => parts.place.traceId, generateSpanId: () => parts.place.spanId },
    spanProcessors: [new SimpleSpanProcessor({ exporter })],
  });
  const { name, kind, startMs } = parts;
  const links = parts.links.map((link) => ({ context: contextOf(link) }));
  const theirs = provider.getTracer(SCOPE.name, SCOPE.version).startSpan(name, {
    ...{ kind, startTime: startMs, attributes: parts.attributes, links },
  });
  if (parts.failure !== undefined) theirs.setStatus({ code: SpanStatusCode.ERROR, ...parts.failure });
  theirs.end(startMs + Math.max(0, parts.lengthMs));
  const origin = { resource, instrumentationScope: SCOPE, limits, processors: [] };
  return {
    ours: writeSpans([record({ ...parts, parent: undefined }, origin)]),
    theirs: ProtobufTraceSerializer.serializeRequest(exporter.getFinishedSpans()),
  };
}

describe('spans in the binary form of OTLP', () => {
  const origin = {
    resource: resourceFromAttributes({
      'service.name': 'sluice',
      'process.pid': 7,
      'process.args': ['a', 'é'],
    }),
    instrumentationScope: SCOPE,
    limits: NO_LIMITS,
    processors: [],
  };

  it("have the same bytes as from the SDK's serializer", () => {
    fc.assert(
      fc.property(fc.array(spanParts, { minLength: 1, maxLength: 6 }), (list) => {
        const spans = list.map((parts) => record(parts, origin));
        const theirs = ProtobufTraceSerializer.serializeRequest(spans);
        expect(Buffer.from(writeSpans(spans)).equals(Buffer.from(theirs!))).toBe(true);
      }),
    );
  });

  it.each([
    ['few attributes', { attributes: 3, valueLength: Number.POSITIVE_INFINITY, links: 128 }],
    ['short values', { attributes: 128, valueLength: 5, links: 128 }],
    ['few links', { attributes: 128, valueLength: Number.POSITIVE_INFINITY, links: 2 }],
    ['all there are', NO_LIMITS],
  ])('come from the same spans as the SDK makes: limits of %s', (_name, limits) => {
    fc.assert(
      fc.property(spanParts, (parts) => {
        const { ours, theirs } = bothWays(parts, limits, origin.resource);
        expect(Buffer.from(ours).equals(Buffer.from(theirs!))).toBe(true);
      }),
    );
  });
});
