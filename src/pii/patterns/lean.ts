/**
 * Patterns with few ranges for letters. V8 makes eight kilobytes of machine code for each `\p{L}`, and with 16 MB of it
 * none for further patterns: these are interpreted then, which takes fifteen times as long (`TooMuchRegExpCode` in its
 * `regexp.cc`). A few ranges need a twentieth of that. What is taken in besides are marks and figures between letters of
 * scripts that no pattern here knows; letters beyond U+FFFF are left out.
 */
const RANGES: Readonly<Record<string, string>> = {
  L:
    'A-Za-zªµº\\u00c0-\\u00d6\\u00d8-\\u00f6\\u00f8-\\u02c1\\u02c6-\\u02d1\\u02e0-\\u02e4\\u02ec\\u02ee\\u0370-\\u0374' +
    '\\u0376\\u0377\\u037a-\\u037d\\u037f\\u0386\\u0388-\\u038a\\u038c\\u038e-\\u03a1\\u03a3-\\u03f5\\u03f7-\\u0481\\u048a-\\u0559\\u0560-\\u0588\\u05d0-\\u05f2' +
    '\\u0620-\\u064a\\u066e-\\u06d3\\u06d5-\\u06ef\\u06fa-\\u06ff\\u0710-\\u1ffc\\u2071\\u207f\\u2090-\\u209c\\u2c00-\\u2dde' +
    '\\u3005-\\u3007\\u3031-\\u3035\\u3041-\\ud7fb\\uf900-\\ufd3d\\ufd50-\\ufdfb\\ufe70-\\ufefc\\uff21-\\uff3a\\uff41-\\uff5a\\uff66-\\uffdc',
  M:
    '\\u0300-\\u036f\\u0483-\\u0489\\u0591-\\u05c7\\u0610-\\u061a\\u064b-\\u065f\\u1ab0-\\u1aff\\u1dc0-\\u1dff' +
    '\\u20d0-\\u20f0\\u3099\\u309a\\ufe00-\\ufe0f\\ufe20-\\ufe2f',
  N: '0-9²³¹¼½¾\\u0660-\\u0669\\u06f0-\\u06f9\\u2070-\\u2079\\u2080-\\u2089\\u2150-\\u2189\\u2460-\\u249b\\uff10-\\uff19',
};
/** An escaped unit, a class of all letters, marks or figures, or the beginning or end of a set. */
const PART = /\\p\{([LMN])\}|\\.|[[\]]/gsu;

/** The same pattern, with ranges for `\p{L}`, `\p{M}` and `\p{N}`. */
export function lean(pattern: RegExp | string, flags?: string): RegExp {
  const source = typeof pattern === 'string' ? pattern : pattern.source;
  let isInSet = false;
  const ranged = source.replace(PART, (part, letter?: string) => {
    if (letter !== undefined) return isInSet ? RANGES[letter]! : `[${RANGES[letter]!}]`;
    if (part === '[') isInSet = true;
    if (part === ']') isInSet = false;
    return part;
  });
  return new RegExp(ranged, flags ?? (typeof pattern === 'string' ? '' : pattern.flags));
}
