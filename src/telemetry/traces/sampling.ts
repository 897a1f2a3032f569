import type { TraceParent } from './trace-context.js';

/** `parent`: whoever the request came from. `envoy`: Envoy alone, where its span is the parent. */
export type Followed = 'parent' | 'envoy' | 'nobody';

export interface Sampling {
  /** Whose decision to sample is ours too, where it is known. */
  follows: Followed;
  /** Of traces for which nobody else decides. */
  share: number;
}

/** Of one exchange, and so for all spans in it. `place` is its parent, or one of its own. */
export function isSampled(
  { follows, share }: Sampling,
  place: TraceParent,
  from: 'client' | 'envoy' | 'nobody',
): boolean {
  const isFollowed = from !== 'nobody' && (follows === 'parent' || (follows === 'envoy' && from === 'envoy'));
  return isFollowed ? place.sampled : isInShare(place.traceId, share);
}

/** By the arithmetic of the SDK, so that all its processes take the same traces. */
export function isInShare(traceId: string, share: number): boolean {
  if (share === 1) return true;
  let sum = 0;
  for (let at = 0; at < traceId.length; at += 8) sum ^= Number.parseInt(traceId.slice(at, at + 8), 16);
  return sum >>> 0 < Math.floor(share * 0xffffffff);
}
