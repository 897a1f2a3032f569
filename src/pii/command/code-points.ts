/** Offsets as files have them, in code points, and as JavaScript has them, in UTF-16 units. */
import type { Explanation, Finding } from '../types.js';

/** A finding as a line of a file has it: offsets in code points, the end behind the last. */
export interface Span {
  start: number;
  end: number;
  entity_type: string;
  score: number;
  explanation?: Explanation;
}

/** UTF-16 offset → code points before it; undefined for text without surrogates, where they are the same. */
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
