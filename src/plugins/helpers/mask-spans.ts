import type { Steps } from '../../core/pacing/steps.js';
import { JsonNumbers } from './json-numbers.js';

export interface Span {
  start: number;
  end: number;
  type: string;
}

const SPANS_AT_ONCE = 500;

/** Replaces the spans of a text by `<TYPE>`, in steps. Overlapping spans become one, named after the first. */
export function* maskSpansInSteps(text: string, spans: readonly Span[]): Steps<string> {
  let masked = '';
  let pieces: string[] = [];
  let at = 0;
  const numbers = new JsonNumbers(text);
  for (const span of yield* joinOverlaps(spans)) {
    // The span is inside a number that was already masked.
    if (span.start < at) continue;
    const number = numbers.around(span);
    const mask = `<${span.type}>`;
    pieces.push(text.slice(at, number?.start ?? span.start), number === undefined ? mask : `"${mask}"`);
    at = number?.end ?? span.end;
    if (pieces.length < 2 * SPANS_AT_ONCE) continue;
    masked += pieces.join('');
    pieces = [];
    yield;
  }
  return masked + pieces.join('') + text.slice(at);
}

/** The spans in order and without overlaps. */
export function* joinOverlaps(spans: readonly Span[]): Steps<Span[]> {
  const joined: Span[] = [];
  let last: Span | undefined;
  for (const span of yield* inOrder(spans)) {
    if (last !== undefined && span.start < last.end) {
      last.end = Math.max(last.end, span.end);
      continue;
    }
    last = { start: span.start, end: span.end, type: span.type };
    joined.push(last);
    if (joined.length % SPANS_AT_ONCE === 0) yield;
  }
  return joined;
}

function* inOrder(spans: readonly Span[]): Steps<readonly Span[]> {
  for (let at = 1; at < spans.length; at++) {
    if (compare(spans[at - 1]!, spans[at]!) <= 0) continue;
    yield;
    return [...spans].sort(compare);
  }
  return spans;
}

function compare(one: Span, other: Span): number {
  return one.start - other.start || other.end - one.end;
}
