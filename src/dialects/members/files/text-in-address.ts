import type { EncodedText } from './text-in-bytes.js';

/*
 * Models get pictures and files by their URL. Most of a URL names a file, or proves who may read it, and is not
 * personal data. A guard sees the parts that a person may have written.
 */

const ADDRESS = /^(?:https?|gs|s3|file):\/\//i;
const DELIMITERS = /([/?&;#])/;
const EMAIL_ADDRESS = /[^\s@/]@[^\s@/]*\.\p{L}{2}/u;
/** Nine digits or more in groups, or after a plus sign. Digits without groups are an id or a time. */
const GROUPED_NUMBER = /^(?=(?:\D*\d){9})(?=.*[+ ().-])\+?[\d ().-]+$/;
/** A parameter without any of these characters cannot contain an e-mail address, spaces or a grouped number. */
const MAY_BE_SHOWN = /[@%+ -]/;

/**
 * The parts of a URL that contain an e-mail address, spaces or a grouped number, one in each line. Undefined where
 * there are none.
 */
export function textInAddress(address: string): EncodedText | undefined {
  const scheme = ADDRESS.exec(address)?.[0];
  if (scheme === undefined || !MAY_BE_SHOWN.test(address)) return undefined;
  const pieces = address.slice(scheme.length).split(DELIMITERS);
  const query = pieces.findIndex((piece) => piece === '?' || piece === '#');
  const shown = new Map<number, string>();
  for (const [index, piece] of pieces.entries()) {
    const isParameter = query !== -1 && index > query;
    const meant = decoded(isParameter ? piece.replaceAll('+', ' ') : piece).replaceAll(/[\r\n]+/g, ' ');
    if (EMAIL_ADDRESS.test(meant) || (isParameter && isWritten(meant))) shown.set(index, meant);
  }
  if (shown.size === 0) return undefined;
  return {
    text: [...shown.values()].join('\n'),
    encode: (text) => scheme + withChanges(pieces, shown, text).join(''),
  };
}

function isWritten(parameter: string): boolean {
  const value = parameter.slice(parameter.indexOf('=') + 1).trim();
  return value.includes(' ') || GROUPED_NUMBER.test(value);
}

/** The URL with the changed parts. Parts that did not change keep their bytes. */
function withChanges(pieces: readonly string[], shown: ReadonlyMap<number, string>, text: string): string[] {
  const lines = text.split('\n');
  const all = [...pieces];
  let line = 0;
  for (const [index, before] of shown) {
    const now = lines[line++] ?? '';
    if (now !== before) all[index] = encoded(before, now);
  }
  return all;
}

/** The name of a parameter keeps its place. */
function encoded(before: string, now: string): string {
  const name = before.slice(0, before.indexOf('=') + 1);
  return now.startsWith(name) ? name + encodeURIComponent(now.slice(name.length)) : encodeURIComponent(now);
}

function decoded(piece: string): string {
  try {
    return decodeURIComponent(piece);
  } catch {
    // The escape is not UTF-8, or not an escape at all.
    return piece;
  }
}
