/** IPv4 (dotted decimal) and IPv6 (RFC 4291, with zone and prefix length), each group checked. */
import { ContextWords } from '../context-words.js';
import { matchAt } from '../matches-of.js';
import type { Block, Candidate, Recognizer } from '../recognizer.js';

const OCTET = '(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)';
const V4 = new RegExp(`${OCTET}(?:\\.${OCTET}){3}(?![\\w])(?:/(?:3[0-2]|[12]?\\d)(?!\\d))?`, 'y');
const V4_WHOLE = new RegExp(`^${OCTET}(?:\\.${OCTET}){3}$`);
const ADDRESS_UNITS = /[0-9A-Fa-f:.]{2,64}/y;
const ZONE_AND_PREFIX = /(?:%[A-Za-z0-9_.-]{1,16})?(?:\/(?:12[0-8]|1[01]\d|[1-9]?\d)(?!\d))?/y;
const MAX_V6 = 45;
const CONTEXT = new ContextWords([
  'ip',
  'ipv4',
  'ipv6',
  'address',
  'host',
  'server',
  'client',
  'gateway',
  'subnet',
]);

function candidate(start: number, end: number, pattern: string, score: number): Candidate {
  return {
    entityType: 'IP_ADDRESS',
    start,
    end,
    score,
    baseScore: score,
    recognizer: 'ip-address',
    pattern,
    validation: 'none',
    context: CONTEXT,
    isChance: false,
  };
}

/** True when eight groups, or fewer around one `::`, stand there; the last two may be written as IPv4. */
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

/** The address in a stretch of its characters: without the stop that ends a sentence, or without a port. */
function longestV6(found: string): string | undefined {
  const plain = found.replace(/\.+$/, '');
  for (const text of [plain, plain.replace(/:$/, ''), plain.replace(/:\d{1,5}$/, '')]) {
    if (text.length <= MAX_V6 && isV6(text)) return text;
  }
  return undefined;
}

function findV6(block: Block, report: (found: Candidate) => void): void {
  const { text } = block;
  let done = 0;
  const length = block.to - block.from;
  for (let at = block.piece.indexOf(':'); at >= 0 && at < length; at = block.piece.indexOf(':', at + 1)) {
    const colon = block.from + at;
    if (colon < done) continue;
    let start = colon;
    while (start > 0 && colon - start < 5 && /[0-9A-Fa-f]/.test(text[start - 1]!)) start--;
    const found = matchAt(ADDRESS_UNITS, text, start) ?? ':';
    done = start + found.length;
    if (/^:{3,}$/.test(found)) continue;
    const address =
      /[\w:.]/.test(text[start - 1] ?? '') || /\w/.test(text[done] ?? '') ? undefined : longestV6(found);
    if (address === undefined) continue;
    const end = start + address.length;
    ZONE_AND_PREFIX.lastIndex = end;
    const zone = end === done ? ZONE_AND_PREFIX.exec(text)![0] : '';
    report(candidate(start, end + zone.length, 'IPv6', address === '::' ? 0.15 : 0.8));
  }
}

function findV4(block: Block, report: (found: Candidate) => void): void {
  for (const run of block.runs) {
    if (!run.isDigit || run.end - run.start > 3 || block.text[run.end] !== '.') continue;
    if (/\d[./]$/.test(block.text.slice(Math.max(0, run.start - 2), run.start))) continue;
    const address = matchAt(V4, block.text, run.start);
    if (address === undefined || isPartOfV6(block.text, run.start)) continue;
    report(candidate(run.start, run.start + address.length, 'IPv4', 0.8));
  }
}

/** `::ffff:256.0.0.1` has no IPv4 in it, and neither has an IPv6 address; `text::ffff:192.0.2.1` has. */
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
