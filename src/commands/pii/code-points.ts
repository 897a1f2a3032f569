/** Converts offsets between code points, which files use, and UTF-16 units, which JavaScript uses. */
import type { Explanation, Finding } from '../../pii/index.js';

/** A finding in the form of an output line: offsets in code points, the end exclusive. */
export interface Span {
  start: number;
  end: number;
  entity_type: string;
  score: number;
  explanation?: Explanation;
}

/**
 * For each UTF-16 offset the number of code points before it. Undefined for a text without surrogates, where both are
 * the same.
 */
function pointsOf(text: string): Int32Array | undefined {
  if (!/[\ud800-\udfff]/.test(text)) return undefined;
  const points = new Int32Array(text.length + 1);
  let count = 0;
  for (let at = 0; at < text.length; count++) {
    const width = text.codePointAt(at)! > 0xffff ? 2 : 1;
    points.fill(count, at, at + width);
    at += width;
  }
  points[text.length] = count;
  return points;
}

export function spansOf(found: readonly Finding[], text: string): Span[] {
  const points = found.length > 0 ? pointsOf(text) : undefined;
  return found.map(({ entityType, start, end, score, explanation }) => ({
    start: points?.[start] ?? start,
    end: points?.[end] ?? end,
    entity_type: entityType,
    score,
    ...(explanation !== undefined && { explanation }),
  }));
}
