import type { TraceParent } from './trace-context.js';

/**
 * Whose sampling decision counts. `parent`: that of whoever sent the request. `envoy`: only that of Envoy, where its span is
 * the parent.
 */
export type Followed = 'parent' | 'envoy' | 'nobody';

export interface Sampling {
  /** Whose sampling decision is adopted, where it is known. */
  follows: Followed;
  /** The share of sampled traces, where nobody else decides. */
  share: number;
}

/** Whether an exchange, with all of its spans, is sampled. `place` is its parent, or a new one. */
export function isSampled(
  { follows, share }: Sampling,
  place: TraceParent,
  from: 'client' | 'envoy' | 'nobody',
): boolean {
  const isFollowed = from !== 'nobody' && (follows === 'parent' || (follows === 'envoy' && from === 'envoy'));
  return isFollowed ? place.sampled : isInShare(place.traceId, share);
}

/** Whether a trace is in the share. It uses the SDK's algorithm, so that all processes sample the same traces. */
export function isInShare(traceId: string, share: number): boolean {
  if (share === 1) return true;
  let sum = 0;
  for (let at = 0; at < traceId.length; at += 8) sum ^= Number.parseInt(traceId.slice(at, at + 8), 16);
  return sum >>> 0 < Math.floor(share * 0xffffffff);
}
