/**
 * IPv4 addresses (dotted decimal) and IPv6 addresses (RFC 4291, with zone and prefix length). The value of each group
 * is checked.
 */
import { ContextWords } from '../context-words.js';
import { matchAt } from '../patterns/matches-of.js';
import { isDigitUnit, isHexUnit } from '../patterns/units.js';
import { type Block, type Candidate, candidate, type Recognizer } from '../recognizer.js';
import { wordsNear } from '../words/words.js';

const OCTET = '(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)';
/** Four numbers with dots between them. Five pairs are a French telephone number: `04.72.10.30.30`. */
const V4 = new RegExp(
  `(?!0\\d(?:\\.\\d\\d){4}(?![\\d.]))${OCTET}(?:\\.${OCTET}){3}(?![\\w])(?:/(?:3[0-2]|[12]?\\d)(?!\\d))?`,
  'y',
);
const V4_WHOLE = new RegExp(`^${OCTET}(?:\\.${OCTET}){3}$`);
/** A longer row of the characters of addresses is not an address. */
const MOST_UNITS = 64;
/** Eight groups have seven colons between them, or six where the last two groups are written as IPv4. */
const FEWEST_COLONS = 6;
/** Text before a version number of four parts. */
const BEFORE_VERSION =
  /(?:^|[^\p{L}])(?:app|apk|sdk|plugin|driver|bios|patch|update|up(?:grad|dat)(?:e|ed|ing) (?:to|from)) $/iu;
const VERSION_UNITS = 14;
/** A beginning that is usual for version numbers and rare for networks. */
const LOW = /^[0-9]\.|^1[1-9]\./;
const COLON = 0x3a;
const DOT = 0x2e;
const SLASH = 0x2f;
const ZONE_AND_PREFIX = /(?:%[A-Za-z0-9_.-]{1,16})?(?:\/(?:12[0-8]|1[01]\d|[1-9]?\d)(?!\d))?/y;
const MAX_V6 = 45;
const CONTEXT = new ContextWords(wordsNear('IP_ADDRESS'));

function ipCandidate(start: number, end: number, pattern: string, score: number): Candidate {
  const recognizer = 'ip-address';
  return candidate({ entityType: 'IP_ADDRESS', start, end, score, recognizer, pattern, context: CONTEXT });
}

/** Whether the text is eight groups, or fewer around one `::`. The last two groups may be written as IPv4. */
function isV6(address: string): boolean {
  const halves = address.split('::');
  if (halves.length > 2) return false;
  let groups = 0;
  for (const [at, half] of halves.entries()) {
    if (half === '') continue;
    const parts = half.split(':');
    const last = at === halves.length - 1 ? parts.at(-1)! : '';
    if (last.includes('.')) {
      if (!V4_WHOLE.test(last)) return false;
      parts.pop();
      groups += 2;
    }
    if (!parts.every((part) => /^[0-9A-Fa-f]{1,4}$/.test(part))) return false;
    groups += parts.length;
  }
  return halves.length === 2 ? groups < 8 : groups === 8;
}

/**
 * The address at the beginning of a stretch of its characters. The full stop that ends a sentence, or a port, is left
 * out.
 */
function longestV6(found: string): string | undefined {
  const plain = found.replace(/\.+$/, '');
  for (const text of [plain, plain.replace(/:$/, ''), plain.replace(/:\d{1,5}$/, '')]) {
    if (text.length <= MAX_V6 && isV6(text)) return text;
  }
  return undefined;
}

function isAddressUnit(unit: number): boolean {
  return isHexUnit(unit) || unit === COLON || unit === DOT;
}

function addressEnd(text: string, start: number): number {
  const limit = Math.min(text.length, start + MOST_UNITS);
  let end = start;
  while (end < limit && isAddressUnit(text.charCodeAt(end))) end++;
  return end;
}

function mayBeV6(found: string): boolean {
  if (found.includes('::')) return true;
  let colons = 0;
  for (let at = 0; at < found.length; at++) colons += Number(found.charCodeAt(at) === COLON);
  return colons >= FEWEST_COLONS;
}

function findV6(block: Block, report: (found: Candidate) => void): void {
  const { text } = block;
  let done = 0;
  const length = block.to - block.from;
  for (let at = block.piece.indexOf(':'); at >= 0 && at < length; at = block.piece.indexOf(':', at + 1)) {
    const colon = block.from + at;
    // A run that ends at its first colon is not an address.
    if (colon < done || !isAddressUnit(text.charCodeAt(colon + 1))) continue;
    let start = colon;
    while (start > 0 && colon - start < 5 && isHexUnit(text.charCodeAt(start - 1))) start--;
    done = addressEnd(text, start);
    const found = text.slice(start, done);
    if (!mayBeV6(found) || /^:{3,}$/.test(found)) continue;
    const address =
      /[\w:.]/.test(text[start - 1] ?? '') || /\w/.test(text[done] ?? '') ? undefined : longestV6(found);
    // `:::8080` means port 8080 of any address.
    if (address === undefined || (address === '::' && found.startsWith(':::'))) continue;
    const end = start + address.length;
    ZONE_AND_PREFIX.lastIndex = end;
    const zone = end === done ? ZONE_AND_PREFIX.exec(text)![0] : '';
    report(ipCandidate(start, end + zone.length, 'IPv6', address === '::' ? 0.15 : 0.8));
  }
}

/** Whether the address continues a row of numbers with dots or slashes between them. */
function followsNumber(text: string, start: number): boolean {
  const mark = text.charCodeAt(start - 1);
  return (mark === DOT || mark === SLASH) && isDigitUnit(text.charCodeAt(start - 2));
}

function findV4(block: Block, report: (found: Candidate) => void): void {
  const { text } = block;
  for (const run of block.runs) {
    if (run.letters > 0 || run.end - run.start > 3 || text.charCodeAt(run.end) !== DOT) continue;
    if (!isDigitUnit(text.charCodeAt(run.end + 1)) || followsNumber(text, run.start)) continue;
    const address = matchAt(V4, text, run.start);
    if (address === undefined || isPartOfV6(text, run.start)) continue;
    const isVersion =
      LOW.test(address) && BEFORE_VERSION.test(text.slice(Math.max(0, run.start - VERSION_UNITS), run.start));
    report(ipCandidate(run.start, run.start + address.length, 'IPv4', isVersion ? 0.4 : 0.8));
  }
}

/**
 * Whether an IPv4 address is inside what looks like an IPv6 address. `::ffff:256.0.0.1` contains neither;
 * `text::ffff:192.0.2.1` contains an IPv4 address.
 */
function isPartOfV6(text: string, start: number): boolean {
  const before = /(^|[^0-9A-Za-z:.])([0-9A-Fa-f:]*:)$/.exec(text.slice(Math.max(0, start - 42), start));
  return before !== null && before[2]!.includes('::');
}

export const ipAddress: Recognizer = {
  name: 'ip-address',
  entityType: 'IP_ADDRESS',
  find(block, report) {
    findV4(block, report);
    findV6(block, report);
  },
};
