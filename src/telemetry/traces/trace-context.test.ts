import { describe, expect, it } from 'vitest';
import { formatTraceparent, newTraceParent, parseTraceparent } from './trace-context.js';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';

describe('traceparent', () => {
  it.each([
    [`00-${TRACE}-${SPAN}-01`, true],
    [`00-${TRACE}-${SPAN}-00`, false],
    [` 00-${TRACE}-${SPAN}-03 `, true],
    [`cc-${TRACE}-${SPAN}-01-what-comes-later`, true],
  ])('is read: %s', (header, sampled) => {
    expect(parseTraceparent(header)).toEqual({ traceId: TRACE, spanId: SPAN, sampled });
  });

  it.each([
    undefined,
    '',
    `00-${TRACE}-${SPAN}`,
    `00-${TRACE}-${SPAN}-01-more`,
    `ff-${TRACE}-${SPAN}-01`,
    `00-${TRACE.toUpperCase()}-${SPAN}-01`,
    `00-${'0'.repeat(32)}-${SPAN}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
  ])('is as if absent: %s', (header) => {
    expect(parseTraceparent(header)).toBeUndefined();
  });

  it('is written and read back unchanged', () => {
    const place = { traceId: TRACE, spanId: SPAN, sampled: true };
    expect(parseTraceparent(formatTraceparent(place))).toEqual(place);
  });

  it('is new for each new trace, valid, and not sampled', () => {
    const places = Array.from({ length: 2000 }, newTraceParent);
    expect(new Set(places.map(({ traceId }) => traceId)).size).toBe(places.length);
    for (const place of places) expect(parseTraceparent(formatTraceparent(place))).toEqual(place);
    expect(places.some(({ sampled }) => sampled)).toBe(false);
  });
});
