/**
 * E-mail addresses, found from their `@` or from what people write instead of it. Lengths are those of RFC 5321; the
 * local part is a `dot-atom` of RFC 5322.
 */

import { blockSigns } from '../block-signs.js';
import { isLetterUnit } from '../model/characters.js';
import { lean } from '../patterns/lean.js';
import { matchAt, matchesOf } from '../patterns/matches-of.js';
import { isDigitUnit } from '../patterns/units.js';
import { type Block, type Candidate, candidate, type Recognizer } from '../recognizer.js';
import { anyOf, readWords } from '../words/words.js';

const MAX_LOCAL = 64;
const MAX_DOMAIN = 255;
const LOCAL_MARKS = new Set([..."!#$%&'*+-/=?^_`{|}~."].map((char) => char.charCodeAt(0)));
const DOMAIN = lean(
  /(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.){1,8}(?:xn--[A-Za-z0-9]{2,40}|\p{L}{2,24})(?![\p{L}\p{N}_])/uy,
);

/** The start of the local part that ends before `at`, not before `from`. Returns `at` where there is none. */
function localStart(text: string, at: number, from: number): number {
  let start = at;
  while (start > from && at - start < MAX_LOCAL) {
    const unit = text.charCodeAt(start - 1);
    if (!isLetterUnit(unit) && !isDigitUnit(unit) && !LOCAL_MARKS.has(unit)) break;
    start--;
  }
  while (start < at && !isLetterUnit(text.charCodeAt(start)) && !isDigitUnit(text.charCodeAt(start))) start++;
  return start + text.slice(start, at).lastIndexOf('=') + 1;
}

/** The name of a picture for high-resolution screens: `icon@2x.png`. */
const PICTURE = /^\d(?:\.\d)?x\.(?:png|jpe?g|gif|webp|svg|avif)$/i;

/** The address around the `@` at `at`. `from` is where the address before it ends. */
function emailAt(text: string, at: number, from: number): Candidate | undefined {
  const start = localStart(text, at, from);
  if (start === at || text.charCodeAt(at - 1) === 0x2e) return undefined;
  const domain = matchAt(DOMAIN, text, at + 1);
  if (domain === undefined || domain.length > MAX_DOMAIN || PICTURE.test(domain)) return undefined;
  // `git@github.com:org/repo.git` is the address of a repository.
  if (text.startsWith('git@', start) && text[at + 1 + domain.length] === ':') return undefined;
  const isReserved = /\.(?:local|localhost|internal)$/i.test(domain);
  return candidate({
    entityType: 'EMAIL_ADDRESS',
    start,
    end: at + 1 + domain.length,
    score: isReserved ? 0.5 : 1,
    baseScore: 0.5,
    recognizer: 'email-address',
    pattern: 'address',
    validation: isReserved ? 'none' : 'passed',
  });
}

const AT = 'at|ät|arroba|arobase|chiocciola|apenstaartje|małpa';
const DOT_WORDS = 'dot|punto|punkt|point|ponto|kropka|punt';
const DOT = `(?: (?:${DOT_WORDS}) |\\s?[[({<]\\s?(?:${DOT_WORDS}|\\.)\\s?[\\])}>]\\s?| -dot- |\\.)`;
/**
 * What people write in place of `@`: `at`, `[at]`, `(at)`, `%40`. Without brackets a `dot` must follow later, because
 * `at` alone is a word.
 */
const WRITTEN_AT = lean(
  `%40|&#64;|\\s?[[({<]\\s?(?:${AT})\\s?[\\])}>]\\s?| -at- | (?:${AT}) (?=[\\w-]{1,63}(?: (?:dash|hyphen|minus) [\\w-]{1,63})?(?: (?:${DOT_WORDS}) |\\s?[[({<]\\s?(?:${DOT_WORDS})))`,
  'giu',
);
const WRITTEN_DOMAIN = lean(
  `[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:(?:${DOT}| (?:dash|hyphen|minus) )[a-z0-9-]{1,63}){0,4}${DOT}[a-z]{2,24}(?![a-z0-9])`,
  'iuy',
);
const LOCAL_SIGN = `(?:${DOT}| (?:underscore|dash|hyphen|minus|unterstrich|guion|guion bajo|tiret|trattino) )`;
const WRITTEN_LOCAL = lean(`[a-z0-9][\\w+-]{0,40}(?:${LOCAL_SIGN}[\\w+-]{1,40}){0,3}$`, 'iu');

/** Text before an address which shows that it is inside a web address. That is found as a whole. */
const IN_URL = /:\/\/[^\s"'<>]*$/;
const URL_UNITS = 256;
/** The score of a part of a web address. It is below the score of the whole address. */
const PART_OF_URL = 0.55;

const BARE_AT = ' at ';
/** A part of a sentence that looks like a domain: `met at that point in time`. `in` is a top-level domain too. */
const OF_SENTENCE =
  /^(?:an?|the|this|that|these|one|two|any|some|no|every|each|which|what) |^[a-z]+ (?:point|dot) (?:in|to|it|is|at|no|so|me|be|us|my|am|as|do|by)$/i;
const TOP_LEVEL = new Set(
  `${anyOf(readWords<'topLevel'>('domains').topLevel)}|example|test|invalid|local`.split('|'),
);

function isSentence(domain: string): boolean {
  const ending = domain.slice(domain.search(/[a-z]+$/i)).toLowerCase();
  return OF_SENTENCE.test(domain) || !TOP_LEVEL.has(ending);
}

function writtenAt(text: string, at: number, mark: string): Candidate | undefined {
  const local = WRITTEN_LOCAL.exec(text.slice(Math.max(0, at - MAX_LOCAL), at))?.[0];
  if (local === undefined) return undefined;
  const domain = matchAt(WRITTEN_DOMAIN, text, at + mark.length);
  if (domain === undefined) return undefined;
  if (mark.toLowerCase() === BARE_AT && isSentence(domain)) return undefined;
  const isInUrl = mark === '%40' && IN_URL.test(text.slice(Math.max(0, at - URL_UNITS), at));
  return candidate({
    entityType: 'EMAIL_ADDRESS',
    start: at - local.length,
    end: at + mark.length + domain.length,
    score: isInUrl ? PART_OF_URL : 0.7,
    recognizer: 'email-address',
    pattern: 'written out',
  });
}

/** A written-out address contains one of these. Other texts are not searched for such addresses. */
const BESIDE_AT = /[[({<]| -/;
const HAS_DOT = blockSigns.add(DOT_WORDS);
const HAS_AT = blockSigns.add(AT);
const WRITTEN_SIGN = lean(`%40|&#64;| (?:${DOT_WORDS}) |[[({<]\\s?(?:${AT})\\s?[\\])}>]| -at- `, 'iu');

/** A quick test before the pattern for written-out addresses. */
function mayBeWritten({ piece, words }: Block): boolean {
  if ((words & HAS_DOT) !== 0 || piece.includes('%40') || piece.includes('&#64;')) return true;
  return (words & HAS_AT) !== 0 && BESIDE_AT.test(piece);
}

export const emailAddress: Recognizer = {
  name: 'email-address',
  entityType: 'EMAIL_ADDRESS',
  find(block, report) {
    const length = block.to - block.from;
    let done = 0;
    for (let at = block.piece.indexOf('@'); at >= 0 && at < length; at = block.piece.indexOf('@', at + 1)) {
      const found = emailAt(block.text, block.from + at, done);
      if (found === undefined) continue;
      report(found);
      done = found.end;
    }
    if (!mayBeWritten(block) || !WRITTEN_SIGN.test(block.piece)) return;
    for (const match of matchesOf(block.piece, WRITTEN_AT)) {
      if (match.index >= length) break;
      const found = writtenAt(block.text, block.from + match.index, match[0]);
      if (found !== undefined) report(found);
    }
  },
};
