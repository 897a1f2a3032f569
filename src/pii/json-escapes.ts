/*
 * Escapes as JSON writes them. The arguments of calls and outputs in JSON come as texts with them, and so do logs and
 * JSON in messages: `Jos\u00e9`, `Best,\nAnn Lee`.
 */

const BACKSLASH = '\\'.charCodeAt(0);
const HEXADECIMAL = /^[\da-f]{4}$/i;
const BLANKS = new Set(['n', 'r', 't']);

/** The units of the escape that a backslash begins; 0 where it begins none. */
export function escapeLength(text: string, at: number): number {
  const kind = text[at + 1]!;
  const length = kind === 'u' ? 6 : 2;
  const known =
    kind === 'u' ? HEXADECIMAL.test(text.slice(at + 2, at + 6)) : BLANKS.has(kind) && !goesOn(text, at + 2);
  return known && !isEscaped(text, at) ? length : 0;
}

/** What the escape of so many units means. The end of a line is a blank: the string that it stands in goes on. */
export function meaningOf(text: string, at: number, length: number): string {
  return length === 2 ? ' ' : String.fromCharCode(Number.parseInt(text.slice(at + 2, at + 6), 16));
}

/** Whether this letter belongs to the backslash before it, as in `\nAnn`. */
export function isLetterOfEscape(text: string, at: number): boolean {
  return text.charCodeAt(at - 1) === BACKSLASH && BLANKS.has(text[at]!) && !isEscaped(text, at - 1);
}

/** `\new` is a command or a folder; in a text that goes on with a small letter nobody can tell. */
function goesOn(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return Number.isNaN(unit) || (unit >= 97 && unit <= 122);
}

function isEscaped(text: string, at: number): boolean {
  let first = at;
  while (text.charCodeAt(first - 1) === BACKSLASH) first--;
  return (at - first) % 2 === 1;
}
