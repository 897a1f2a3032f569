const NONE: readonly RegExpExecArray[] = [];

/**
 * Like `text.matchAll(pattern)`, but without its copy of the pattern for each text. V8 compiles a copy anew when its
 * cache no longer has it, and the detector has more patterns than the cache keeps. Most calls find nothing. `pattern`
 * must be global.
 */
export function matchesOf(text: string, pattern: RegExp): Iterable<RegExpExecArray> {
  pattern.lastIndex = 0;
  const first = pattern.exec(text);
  pattern.lastIndex = 0;
  return first === null ? NONE : matchesFrom(first, text, pattern);
}

function* matchesFrom(first: RegExpExecArray, text: string, pattern: RegExp): Generator<RegExpExecArray> {
  for (let match: RegExpExecArray | null = first; match !== null; ) {
    const end = Math.max(match.index + match[0].length, match.index + 1);
    yield match;
    // Other code may use the pattern between two matches, so its position is set again.
    pattern.lastIndex = end;
    match = pattern.exec(text);
    pattern.lastIndex = 0;
  }
}

/** What a sticky pattern matches at an offset. */
export function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}
