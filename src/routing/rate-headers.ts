/*
 * The headers in which providers report their own limits with each answer. OpenAI and those that follow it:
 * `x-ratelimit-remaining-requests` and `-tokens` with `x-ratelimit-reset-*` as a duration (`6m0s`, `350ms`) or as
 * seconds. Anthropic: `anthropic-ratelimit-requests-remaining` with `-reset` as a moment (RFC 3339).
 */

/** Pairs of headers: how much is left, and when there will be more. */
const HEADERS = ['requests', 'tokens'].flatMap((kind) => [
  { left: `x-ratelimit-remaining-${kind}`, reset: `x-ratelimit-reset-${kind}` },
  { left: `anthropic-ratelimit-${kind}-remaining`, reset: `anthropic-ratelimit-${kind}-reset` },
]);

/**
 * How long the provider will refuse requests, in milliseconds, where its headers say that a limit is exhausted;
 * otherwise undefined.
 */
export function pauseAsked(headers: Readonly<Record<string, string>>, nowMs: number): number | undefined {
  let longest: number | undefined;
  for (const { left, reset } of HEADERS) {
    if (headers[left] === undefined) continue;
    const pause = pauseOf(headers[left], headers[reset], nowMs);
    if (pause !== undefined && (longest === undefined || pause > longest)) longest = pause;
  }
  return longest;
}

function pauseOf(left: string | undefined, reset: string | undefined, nowMs: number): number | undefined {
  if (left === undefined || reset === undefined || left.trim() === '' || Number(left) > 0) return undefined;
  if (Number.isNaN(Number(left))) return undefined;
  const pause = durationMs(reset) ?? Date.parse(reset) - nowMs;
  return pause > 0 ? pause : undefined;
}

const UNITS_MS = { h: 3_600_000, m: 60_000, s: 1_000, ms: 1 } as const;

function durationMs(text: string): number | undefined {
  const seconds = Number(text);
  if (text.trim() !== '' && Number.isFinite(seconds)) return seconds * 1_000;
  if (!/^(\d+(\.\d+)?(ms|h|m|s))+$/.test(text)) return undefined;
  let sum = 0;
  for (const [, count, unit] of text.matchAll(/(\d+(?:\.\d+)?)(ms|h|m|s)/g)) {
    sum += Number(count) * UNITS_MS[unit as keyof typeof UNITS_MS];
  }
  return sum;
}
