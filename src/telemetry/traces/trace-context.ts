import { randomFillSync } from 'node:crypto';

/** Where a span stands, as in the header `traceparent` (W3C Trace Context). */
export interface TraceParent {
  /** 32 lower-case hex digits, not all zero. */
  traceId: string;
  /** 16 lower-case hex digits, not all zero. */
  spanId: string;
  sampled: boolean;
}

/** Version 00 has this length, and others are rare. */
const USUAL_LENGTH = 55;
const [ZERO, NINE, DASH, LOWER_A, LOWER_F] = Array.from('09-af', (sign) => sign.charCodeAt(0)) as [
  number,
  number,
  number,
  number,
  number,
];
const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** Undefined where the header is missing or not valid; a later version than ours is read as far as we know it. */
export function parseTraceparent(header: string | undefined): TraceParent | undefined {
  if (header === undefined) return undefined;
  return isUsual(header) ? partsOf(header) : parseUnusual(header);
}

/** Each request comes with one where Envoy traces, so this takes a tenth of what the pattern does. */
function isUsual(header: string): boolean {
  return (
    header.length === USUAL_LENGTH &&
    header.startsWith('00-') &&
    header.charCodeAt(35) === DASH &&
    header.charCodeAt(52) === DASH &&
    isId(header, 3, 35) &&
    isId(header, 36, 52) &&
    isHex(header.charCodeAt(53)) &&
    isHex(header.charCodeAt(54))
  );
}

/** Hex digits that are not all zero. */
function isId(header: string, from: number, to: number): boolean {
  let isZero = true;
  for (let at = from; at < to; at++) {
    const code = header.charCodeAt(at);
    if (!isHex(code)) return false;
    if (code !== ZERO) isZero = false;
  }
  return !isZero;
}

function isHex(code: number): boolean {
  return (code >= ZERO && code <= NINE) || (code >= LOWER_A && code <= LOWER_F);
}

function partsOf(header: string): TraceParent {
  const flags = Number.parseInt(header.slice(53), 16);
  return { traceId: header.slice(3, 35), spanId: header.slice(36, 52), sampled: (flags & 1) === 1 };
}

function parseUnusual(header: string): TraceParent | undefined {
  const match = TRACEPARENT.exec(header.trim());
  if (match === null) return undefined;
  const [, version = '', traceId = '', spanId = '', flags = '', more] = match;
  if (version === 'ff' || (version === '00' && more !== undefined)) return undefined;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

export function formatTraceparent({ traceId, spanId, sampled }: TraceParent): string {
  return `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`;
}

/** A place in a new trace that nobody records. */
export function newTraceParent(): TraceParent {
  return { traceId: randomHex(16), spanId: randomHex(8), sampled: false };
}

const pool = Buffer.alloc(4096);
let used = pool.length;

/** One call of the system serves many ids. */
function randomHex(bytes: number): string {
  if (used + bytes > pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += bytes;
  return pool.toString('hex', used - bytes, used);
}
