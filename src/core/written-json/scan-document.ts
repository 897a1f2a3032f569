import { type JsonOutline, MAX_JSON_DEPTH, type MemberSpan, opensEmpty, stringEnd } from '../json-scan.js';
import { copyText } from '../texts/copy-text.js';

/** Up to this many members are remembered, because a body may have a hundred thousand. */
const MOST_MEMBERS = 64;
/** `JSON.stringify` writes a whole number of up to this many digits exactly as it stood in the text. */
const MOST_DIGITS = 15;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const MINUS = 0x2d;

/**
 * Looks at a text, JSON or not, before it is parsed: for a limit that it exceeds, as `scanBounds` does, and for its
 * outline in the same pass.
 */
export function scanDocument(
  text: string,
  maxValues: number,
): { bound?: 'depth' | 'values'; outline?: JsonOutline } {
  let members: MemberSpan[] | undefined = [];
  let keys = 0;
  let isPlain = true;
  let depth = 0;
  let values = 1;
  // Where the current top-level member and its value begin; -1 before they have begun.
  let start = -1;
  let valueStart = -1;
  /** The offset after the last character that is not white space. */
  let end = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    switch (code) {
      case QUOTE: {
        const opened = i;
        i = stringEnd(text, i) - 1;
        if (text.charCodeAt(i + 1) === COLON) {
          keys++;
          const first = text.charCodeAt(opened + 1);
          if (isDigit(first) || first === BACKSLASH) isPlain = false;
        }
        if (depth === 1 && start === -1) start = opened;
        break;
      }
      case COLON:
        if (depth === 1 && valueStart === -1) {
          valueStart = i + 1;
          end = i + 1;
          continue;
        }
        break;
      case 0x2c: // ,
        values++;
        if (depth === 1) {
          members = withMember(members, text, start, valueStart, end);
          start = -1;
          valueStart = -1;
        }
        break;
      case 0x7b: // {
      case 0x5b: // [
        if (++depth > MAX_JSON_DEPTH) return { bound: 'depth' };
        if (!opensEmpty(text, i)) values++;
        break;
      case 0x7d: // }
      case 0x5d: // ]
        if (depth === 1 && start !== -1) members = withMember(members, text, start, valueStart, end);
        depth--;
        break;
      case 0x20:
      case 0x0a:
      case 0x0d:
      case 0x09:
        isPlain = false;
        if (valueStart === i) valueStart++;
        continue;
      default:
        if (isDigit(code) || code === MINUS) {
          const after = numberEnd(text, i);
          isPlain &&= isNumberAsWritten(text, i, after);
          i = after - 1;
        }
    }
    end = i + 1;
    if (values > maxValues) return { bound: 'values' };
  }
  return { outline: { members, plainKeys: isPlain ? keys : undefined } };
}

function withMember(
  members: MemberSpan[] | undefined,
  text: string,
  start: number,
  valueStart: number,
  end: number,
): MemberSpan[] | undefined {
  if (members === undefined || members.length === MOST_MEMBERS || start === -1 || valueStart === -1)
    return undefined;
  const written = text.slice(start, stringEnd(text, start));
  // An escape could be invalid, which only a parser would notice.
  if (written.includes('\\')) return undefined;
  // A long key would otherwise keep the whole text in memory.
  members.push({ key: copyText(written.slice(1, -1)), start, valueStart, end });
  return members;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/** The offset after what looks like a number. */
function numberEnd(text: string, at: number): number {
  let i = at + 1;
  for (; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (!isDigit(code) && code !== 0x2e && code !== 0x2b && code !== MINUS && (code | 0x20) !== 0x65) break;
  }
  return i;
}

function isNumberAsWritten(text: string, start: number, end: number): boolean {
  if (end - start <= MOST_DIGITS) {
    let i = start;
    while (i < end && isDigit(text.charCodeAt(i))) i++;
    if (i === end) return true;
  }
  const written = text.slice(start, end);
  return String(Number(written)) === written;
}
