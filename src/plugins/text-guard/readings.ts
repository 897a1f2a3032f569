import type { Steps } from '../../core/pacing/steps.js';
import { type Normalized, normalizeSteps, originalSpan } from '../../pii/normalize.js';
import { type Unescaped, unescapeSteps, wholeEscapes } from './unescape.js';

/** A text as somebody may read it. */
export interface Reading {
  text: string;
  /** Where a span of it stands in the original; no escape of JSON is parted. */
  span(start: number, end: number): readonly [number, number];
}

/** A text in all its readings. */
export interface Readings {
  /** As it is written. */
  written: Reading;
  /**
   * With blanks, widths, marks and escapes of JSON as what they mean; where that differs, also with all escapes
   * undone: whether `\new` is a line's end and a word or a folder, nobody can tell.
   */
  meant: Reading[];
}

export function* readingsOf(text: string): Steps<Readings> {
  const unescaped = yield* unescapeSteps(text);
  const whole = (start: number, end: number) =>
    unescaped === undefined ? ([start, end] as const) : wholeEscapes(unescaped, start, end);
  const plain = yield* normalizeSteps(text);
  const meant: Reading[] = [
    { text: plain.text, span: (start, end) => whole(...originalSpan(plain, start, end, text)) },
  ];
  if (unescaped !== undefined) {
    const read = yield* normalizeSteps(unescaped.text);
    if (read.text !== plain.text) meant.push(unescapedReading(read, unescaped));
  }
  return { written: { text, span: whole }, meant };
}

function unescapedReading(read: Normalized, { text, offsets }: Unescaped): Reading {
  return {
    text: read.text,
    span: (start, end) => {
      const [from, to] = originalSpan(read, start, end, text);
      return [offsets[from]!, offsets[to]!];
    },
  };
}

/** All that `normalizeSteps` or `unescapeSteps` may change is beyond ASCII or behind one of these. */
const MAY_BE_READ_SHORTER = /[^\0-\x7f]|\\/;

/** Up to where a text is followed by so many units in each of its readings; `edge` at most. */
export function* followedBy(text: string, units: number, edge: number): Steps<number> {
  if (!MAY_BE_READ_SHORTER.test(text.slice(edge))) return edge;
  const { meant } = yield* readingsOf(text);
  let from = edge;
  for (const reading of meant) {
    const first = reading.text.length - units;
    from = Math.min(from, first <= 0 ? 0 : reading.span(first, first + 1)[0]);
  }
  return from;
}
