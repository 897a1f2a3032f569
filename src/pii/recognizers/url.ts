/**
 * Web addresses: those with a scheme (RFC 3986) and a host with a top-level domain or an IP address, those that begin
 * with `www.`, and bare host names. The top-level domain of a bare host name must be common enough that it is not the
 * ending of a file, or a word after a missing blank.
 */

import { CLASS_DIGIT, charClass, isLetterUnit } from '../model/characters.js';
import { lean } from '../patterns/lean.js';
import { matchAt } from '../patterns/matches-of.js';
import { type Block, type Candidate, candidate, type Recognizer } from '../recognizer.js';
import { anyOf, readWords } from '../words/words.js';

const { topLevel } = readWords<'topLevel'>('domains');

/** A longer address is reported in pieces of this many UTF-16 units, so that no finding is longer. */
const MAX_PIECE = 400;
const MAX_URL = 4000;
const MAX_HOST = 253;
const LABEL = '[\\p{L}\\p{N}](?:[\\p{L}\\p{N}_-]{0,61}[\\p{L}\\p{N}])?';
const PORT_AND_PATH = '(?::\\d{1,5})?(?:[/?#][^\\s<>"\'`|\\\\^{}]{0,4000})?';
const HOST = `(?:${LABEL}\\.){1,8}`;
const WITH_SCHEME = lean(
  `(?:[\\p{L}\\p{N}._~%!$&+-]{1,64}(?::[^\\s@/]{0,64})?@)?(?:${HOST}(?:xn--[a-z0-9]{2,40}|\\p{L}{2,24})|\\d{1,3}(?:\\.\\d{1,3}){3}|\\[[0-9A-Fa-f:.]{2,45}\\])(?![\\p{L}\\p{N}_])${PORT_AND_PATH}`,
  'uy',
);
const WITH_WWW = lean(`www\\.${HOST}\\p{L}{2,24}(?![\\p{L}\\p{N}_-])${PORT_AND_PATH}`, 'iuy');
const BARE = lean(
  `${HOST}(?:${anyOf(topLevel)})(?![\\p{L}\\p{N}_-]|\\.[\\p{L}\\p{N}])${PORT_AND_PATH}`,
  'uy',
);
const SCHEMES = /(?<![A-Za-z])(?:https?|ftps?|wss?|sftp|ssh|git)$/i;

/**
 * The address without the punctuation that ends a sentence, and without a closing bracket that was opened before it.
 */
function trimmed(url: string): string {
  let end = url.length;
  while (end > 0) {
    const last = url[end - 1]!;
    const isOpenBracket =
      (last === ')' && !url.slice(0, end).includes('(')) || (last === ']' && !url.includes('['));
    if (!'.,;:!?\'"'.includes(last) && !isOpenBracket) break;
    end--;
  }
  return url.slice(0, end);
}

function urlCandidate(start: number, end: number, pattern: string, score: number): Candidate {
  return candidate({ entityType: 'URL', start, end, score, recognizer: 'url', pattern });
}

function isHostUnit(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return (
    isLetterUnit(unit) || charClass[unit] === CLASS_DIGIT || unit === 0x2d || unit === 0x5f || unit === 0x2e
  );
}

/** The start of the host name around the dot at `dot`. Two dots in a row end a name. */
function hostStart(text: string, dot: number): number {
  let start = dot;
  while (
    start > 0 &&
    dot - start < MAX_HOST &&
    isHostUnit(text, start - 1) &&
    !text.startsWith('..', start - 1)
  )
    start--;
  while (start < dot && '._-'.includes(text[start]!)) start++;
  return start;
}

/** The end of the host name around the dot at `dot`, or `limit`, because each block reads only its own units. */
function hostEnd(text: string, dot: number, limit: number): number {
  let end = dot;
  while (end < limit && isHostUnit(text, end) && !text.startsWith('..', end)) end++;
  return end;
}

function isWww(text: string, start: number): boolean {
  return (text.charCodeAt(start) | 0x20) === 0x77 && /^www\./i.test(text.slice(start, start + 4));
}

class UrlScan {
  readonly #text: string;
  readonly #report: (found: Candidate) => void;
  readonly #limit: number;
  /** The end of the last address. Dots before it belong to that address. */
  #done = 0;

  constructor({ text, to }: Block, report: (found: Candidate) => void) {
    this.#text = text;
    this.#limit = to;
    this.#report = report;
  }

  dotAt(dot: number): void {
    if (dot < this.#done || '._- \n'.includes(this.#text[dot + 1] ?? ' ')) return;
    const start = hostStart(this.#text, dot);
    if (start === dot || this.#text[start - 1] === '@') return;
    const beginsWww = isWww(this.#text, start);
    const host = beginsWww ? matchAt(WITH_WWW, this.#text, start) : undefined;
    if (host !== undefined) this.#found(start, host, 'www', 0.6);
    else if (!beginsWww && this.#text[start - 1] !== '/') this.#bareAt(start, dot);
  }

  #bareAt(start: number, dot: number): void {
    const host = matchAt(BARE, this.#text, start);
    const isNumber = host !== undefined && /^\d+(?:\.\d+)*\.\p{L}+$/u.test(host);
    if (host !== undefined && !isNumber && this.#text[start + host.length] !== '@')
      this.#found(start, host, 'host', 0.5);
    else this.#done = hostEnd(this.#text, dot, this.#limit);
  }

  schemeAt(colon: number): void {
    if (colon < this.#done) return;
    const scheme = SCHEMES.exec(this.#text.slice(Math.max(0, colon - 6), colon))?.[0];
    const rest = scheme === undefined ? undefined : matchAt(WITH_SCHEME, this.#text, colon + 3);
    if (scheme === undefined || rest === undefined) return;
    const start = colon - scheme.length;
    this.#found(start, this.#text.slice(start, colon + 3 + rest.length), 'scheme', 0.6);
  }

  #found(start: number, given: string, pattern: string, score: number): void {
    const end = start + trimmed(given.slice(0, MAX_URL)).length;
    for (let at = start; at < end; at += MAX_PIECE) {
      this.#report(urlCandidate(at, Math.min(end, at + MAX_PIECE), pattern, score));
    }
    this.#done = end;
  }
}

/** Where `anchor` next occurs in `piece`; `none` where it does not. */
function anchorIn(piece: string, anchor: string, at: number, none: number): number {
  const found = piece.indexOf(anchor, at);
  return found < 0 ? none : found;
}

export const url: Recognizer = {
  name: 'url',
  entityType: 'URL',
  find(block, report) {
    const scan = new UrlScan(block, report);
    const { piece, from } = block;
    const length = block.to - from;
    let dot = anchorIn(piece, '.', 0, length);
    let scheme = anchorIn(piece, '://', 0, length);
    while (dot < length || scheme < length) {
      if (dot < scheme) {
        scan.dotAt(from + dot);
        dot = anchorIn(piece, '.', dot + 1, length);
      } else {
        scan.schemeAt(from + scheme);
        scheme = anchorIn(piece, '://', scheme + 1, length);
      }
    }
  },
};
