import type { DialectId } from '../../core/dialect-ids.js';
import type { Provider } from '../../core/settings.js';
import { parseTraceparent } from '../../telemetry/traces/trace-context.js';
import type { Headers } from '../exchange/http.js';

/*
 * A client's headers are forwarded by an allow list: those of HTTP and tracing, those in which SDKs describe
 * themselves, those that the dialect needs at a provider of the same dialect, and those that the operator names in
 * `forward_headers`. Any other header could change who is billed for the operator's credential, or turn on unknown
 * features.
 */

/** Headers that are sent to every provider, so Envoy need not set them for each attempt. */
const ALWAYS =
  /^(:.*|host|accept|accept-language|content-type|content-length|transfer-encoding|te|user-agent|traceparent|tracestate|baggage|b3|x-b3-.*|x-request-id|x-forwarded-proto|x-stainless-.*)$/;

/** Headers for a family of dialects, which is the part of a dialect's id before the dot. */
const OF_DIALECT: Record<string, RegExp> = {
  openai: /^(openai-beta|x-client-request-id)$/,
  anthropic: /^anthropic-(version|beta)$/,
  gemini: /^x-goog-api-client$/,
};

/** Headers that identify the client to a provider. They are never forwarded, whatever the operator lists. */
const NEVER =
  /^(openai-organization|openai-project|authorization|proxy-authorization|x-api-key|x-goog-api-key|api-key|cookie)$/;

/** A cache of decisions by header name. It is limited, because clients choose names. */
const known = new Map<string, boolean>();
const MOST_KNOWN = 1000;

export function goesToEveryProvider(name: string): boolean {
  let goes = known.get(name);
  if (goes === undefined) {
    goes = ALWAYS.test(name);
    if (known.size < MOST_KNOWN) known.set(name, goes);
  }
  return goes;
}

/** The client's headers that no provider gets, unless an attempt sets them. */
export function staleHeaders(headers: Headers): string[] {
  const stale = Object.keys(headers).filter((name) => !goesToEveryProvider(name));
  // The tracestate belongs to its traceparent; without a valid one it is dropped (W3C Trace Context, 2.4).
  if (headers.tracestate !== undefined && parseTraceparent(headers.traceparent) === undefined)
    stale.push('tracestate');
  return stale;
}

/** The client's headers for this provider, in addition to those that every provider gets. */
export function forwardedHeaders(
  headers: Headers,
  provider: Pick<Provider, 'forward_headers'>,
  dialects: { client: DialectId; provider: DialectId },
): Record<string, string> {
  const ofDialect =
    dialects.client === dialects.provider ? OF_DIALECT[dialects.client.split('.')[0]!] : undefined;
  const forwarded: Record<string, string> = {};
  for (const name in headers) {
    const isListed = ofDialect?.test(name) || provider.forward_headers.includes(name);
    if (isListed && !NEVER.test(name)) forwarded[name] = headers[name]!;
  }
  return forwarded;
}

/** Headers that concern one connection or one body. The HTTP client that makes the attempt writes its own. */
const OF_A_CONNECTION =
  /^(host|content-length|transfer-encoding|te|connection|keep-alive|upgrade|x-forwarded-proto)$/;

/**
 * All headers of an attempt that the engine makes itself: those for every provider, and those that were set for this
 * one.
 */
export function headersOfTry(headers: Headers, set: Headers): Record<string, string> {
  const stale = new Set(staleHeaders(headers));
  const all: Record<string, string> = {};
  for (const name in headers) {
    if (!stale.has(name) && !OF_A_CONNECTION.test(name)) all[name] = headers[name]!;
  }
  return Object.assign(all, set);
}
