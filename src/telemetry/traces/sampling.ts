import type { TraceParent } from './trace-context.js';

/** `parent`: whoever sent the request. `envoy`: Envoy alone, where its span is the parent. */
export type Followed = 'parent' | 'envoy' | 'nobody';

export interface Sampling {
  /** Whose sampling decision is adopted, where it is known. */
  follows: Followed;
  /** For traces that nobody else decided on. */
  share: number;
}

/** For one exchange, and so for all of its spans. `place` is its parent, or a new one. */
export function isSampled(
  { follows, share }: Sampling,
  place: TraceParent,
  from: 'client' | 'envoy' | 'nobody',
): boolean {
  const isFollowed = from !== 'nobody' && (follows === 'parent' || (follows === 'envoy' && from === 'envoy'));
  return isFollowed ? place.sampled : isInShare(place.traceId, share);
}

/** By the SDK's algorithm, so that all of its processes sample the same traces. */
export function isInShare(traceId: string, share: number): boolean {
  if (share === 1) return true;
  let sum = 0;
  for (let at = 0; at < traceId.length; at += 8) sum ^= Number.parseInt(traceId.slice(at, at + 8), 16);
  return sum >>> 0 < Math.floor(share * 0xffffffff);
}
