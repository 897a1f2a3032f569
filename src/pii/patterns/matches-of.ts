const NONE: readonly RegExpExecArray[] = [];

/**
 * As `text.matchAll(pattern)`, which makes a copy of the pattern for each text: V8 compiles it anew once its cache has
 * lost it, and a detector has more patterns than stay there. Most find nothing. `pattern` is global.
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
    // Others may use the pattern between two matches.
    pattern.lastIndex = end;
    match = pattern.exec(text);
    pattern.lastIndex = 0;
  }
}

/** What `pattern`, which is sticky, matches at an offset. */
export function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}
