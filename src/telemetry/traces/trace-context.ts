import { randomFillSync } from 'node:crypto';

/** The position of a span, in the form of the header `traceparent` (W3C Trace Context). */
export interface TraceParent {
  /** The trace id: 32 lower-case hex digits, not all zero. */
  traceId: string;
  /** The span id: 16 lower-case hex digits, not all zero. */
  spanId: string;
  sampled: boolean;
}

const TRACEPARENT = /^([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/**
 * Reads the header `traceparent`. Undefined where it is missing or invalid. A newer version is read as far as it is known.
 */
export function parseTraceparent(header: string | undefined): TraceParent | undefined {
  if (header === undefined) return undefined;
  const match = TRACEPARENT.exec(header.trim());
  if (match === null) return undefined;
  const [, version = '', traceId = '', spanId = '', flags = '', more] = match;
  if (version === 'ff' || (version === '00' && more !== undefined)) return undefined;
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

export function formatTraceparent({ traceId, spanId, sampled }: TraceParent): string {
  return `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`;
}

/** A position in a new trace that is not recorded. */
export function newTraceParent(): TraceParent {
  return { traceId: newTraceId(), spanId: newSpanId(), sampled: false };
}

const pool = Buffer.alloc(4096);
let used = pool.length;

export function newTraceId(): string {
  return randomHex(16);
}

export function newSpanId(): string {
  return randomHex(8);
}

/** One system call provides many ids. */
function randomHex(bytes: number): string {
  if (used + bytes > pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += bytes;
  return pool.toString('hex', used - bytes, used);
}
