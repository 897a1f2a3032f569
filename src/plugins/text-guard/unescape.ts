import type { Steps } from '../../core/pacing/steps.js';
/** A text without JSON escapes, with the offset in the original of each of its units and of its end. */
export interface Unescaped {
  text: string;
  offsets: Int32Array;
}

const ESCAPE = /\\(?:u([\da-fA-F]{4})|(["\\/bfnrt]))/g;
const MEANT: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };
const ESCAPES_AT_ONCE = 5_000;

/**
 * The text without its JSON escapes; undefined where it has none. Other backslashes stay. In steps, because a text
 * can have a million escapes.
 */
export function* unescapeSteps(text: string): Steps<Unescaped | undefined> {
  if (!text.includes('\\')) return undefined;
  const offsets = new Int32Array(text.length + 1);
  const pieces: string[] = [];
  let length = 0;
  let from = 0;
  let count = 0;
  const keepUpTo = (to: number) => {
    pieces.push(text.slice(from, to));
    while (from < to) offsets[length++] = from++;
  };
  for (const { index, 0: written, 1: unit, 2: letter = '' } of text.matchAll(ESCAPE)) {
    keepUpTo(index);
    pieces.push(
      unit === undefined ? (MEANT[letter] ?? letter) : String.fromCharCode(Number.parseInt(unit, 16)),
    );
    offsets[length++] = index;
    from = index + written.length;
    if (++count % ESCAPES_AT_ONCE === 0) yield;
  }
  if (count === 0) return undefined;
  keepUpTo(text.length);
  offsets[length] = text.length;
  return { text: pieces.join(''), offsets: offsets.subarray(0, length + 1) };
}

/** The span in the original, extended to whole escapes at both ends. */
export function wholeEscapes({ offsets }: Unescaped, start: number, end: number): readonly [number, number] {
  const behind = lastUpTo(offsets, end);
  return [offsets[lastUpTo(offsets, start)]!, offsets[behind]! < end ? offsets[behind + 1]! : end];
}

/** The last index whose offset is no more than this. */
function lastUpTo(offsets: Int32Array, offset: number): number {
  let first = 0;
  for (let behind = offsets.length; behind - first > 1; ) {
    const middle = (first + behind) >> 1;
    if (offsets[middle]! <= offset) first = middle;
    else behind = middle;
  }
  return first;
}
