import { countKeys, type JsonDocument } from '../json.js';
import { scanDocument } from './scan-document.js';

/** What `JSON.stringify` writes after a backslash, besides `u` with the code of a control character. */
const ESCAPED = new Set([...'"\\bfnrt'].map((letter) => letter.charCodeAt(0)));
const CONTROL_CHARACTER = /^u00(?:0[0-7be-f]|1[\da-f])$/;

/**
 * Whether the text of a document is exactly what `JSON.stringify` would write for its value, as most clients send it.
 * This check takes a fifth of the time that writing takes, and no memory. For a few rare texts it returns false
 * although true would be right.
 */
export function isAsStringified({ text, value, outline }: JsonDocument): boolean {
  const { plainKeys } = outline ?? scanDocument(text, Number.POSITIVE_INFINITY).outline ?? {};
  // Where a key is repeated, the value has fewer keys than the text.
  return plainKeys !== undefined && areEscapesAsWritten(text) && plainKeys === countKeys(value);
}

function areEscapesAsWritten(text: string): boolean {
  for (let at = text.indexOf('\\'); at !== -1; at = text.indexOf('\\', at + 2)) {
    if (ESCAPED.has(text.charCodeAt(at + 1))) continue;
    if (!CONTROL_CHARACTER.test(text.slice(at + 1, at + 6))) return false;
  }
  return true;
}
