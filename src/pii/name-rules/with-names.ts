import type { NameSpan } from '../name-span.js';

/** `spans` with `added` in the place of all that they overlap, in order; the same list where nothing is added. */
export function withNames(spans: readonly NameSpan[], added: readonly NameSpan[]): readonly NameSpan[] {
  if (added.length === 0) return spans;
  const kept = spans.filter((span) => !added.some((one) => one.start < span.end && one.end > span.start));
  return [...kept, ...added].sort((a, b) => a.start - b.start);
}
