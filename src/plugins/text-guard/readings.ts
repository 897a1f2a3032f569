import type { Steps } from '../../core/pacing/steps.js';
import { type Normalized, normalizeSteps, originalSpan } from '../../pii/normalize.js';
import { type Unescaped, unescapeSteps, wholeEscapes } from './unescape.js';

/** One way to read a text, such as with its JSON escapes undone. */
export interface Reading {
  text: string;
  /** The span of the original text. It never splits a JSON escape. */
  span(start: number, end: number): readonly [number, number];
}

/** All ways in which a text is read. */
export interface Readings {
  /** The text as it is written. */
  written: Reading;
  /**
   * The text with unusual blanks, widths, marks and JSON escapes replaced by what they mean. Where that changes
   * something, a second reading has all escapes undone, because `\new` may be a line break and a word, or a folder.
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

/** `normalizeSteps` and `unescapeSteps` change only what is not ASCII or follows a backslash. */
const MAY_BE_READ_SHORTER = /[^\0-\x7f]|\\/;

/**
 * The greatest offset, at most `edge`, that is followed by at least `units` UTF-16 units in every reading of the
 * text.
 */
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
