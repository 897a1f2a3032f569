import type { DialectId } from '../../core/dialect-ids.js';
import type { Provider } from '../../core/settings.js';
import { parseTraceparent } from '../../telemetry/traces/trace-context.js';
import type { Headers } from '../exchange/http.js';

/*
 * A client's headers go on to a provider by a list: what HTTP and tracing need, what the SDKs tell of themselves, what
 * the dialect needs at a provider of the same dialect, and what the operator names in `forward_headers`. Another
 * header could say for whom the operator's credential pays, or turn on what nobody here knows of.
 */

/** Goes to every provider, so Envoy need not be told of it for each try. */
const ALWAYS =
  /^(:.*|host|accept|accept-language|content-type|content-length|transfer-encoding|te|user-agent|traceparent|tracestate|baggage|b3|x-b3-.*|x-request-id|x-forwarded-proto|x-stainless-.*)$/;

/** By the family of a dialect: the part of its id before the dot. */
const OF_DIALECT: Record<string, RegExp> = {
  openai: /^(openai-beta|x-client-request-id)$/,
  anthropic: /^anthropic-(version|beta)$/,
  gemini: /^x-goog-api-client$/,
};

/** These identify the client at a provider, whatever the operator lists. */
const NEVER =
  /^(openai-organization|openai-project|authorization|proxy-authorization|x-api-key|x-goog-api-key|api-key|cookie)$/;

/** What was found of names; clients choose them, so that not all are kept. */
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

/** Of the headers as the client sent them, those that go to no provider unless a try sets them. */
export function staleHeaders(headers: Headers): string[] {
  const stale = Object.keys(headers).filter((name) => !goesToEveryProvider(name));
  // The state belongs to the place in the trace; without a valid one it is nobody's (W3C Trace Context, 2.4).
  if (headers.tracestate !== undefined && parseTraceparent(headers.traceparent) === undefined)
    stale.push('tracestate');
  return stale;
}

/** The client's headers that this provider gets beside those that every provider gets. */
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

/** What HTTP says of one connection or one body alone; the client of the try's own connection writes these. */
const OF_A_CONNECTION =
  /^(host|content-length|transfer-encoding|te|connection|keep-alive|upgrade|x-forwarded-proto)$/;

/** All headers of a try that the engine sends by itself: what goes to every provider, and what was set for this one. */
export function headersOfTry(headers: Headers, set: Headers): Record<string, string> {
  const stale = new Set(staleHeaders(headers));
  const all: Record<string, string> = {};
  for (const name in headers) {
    if (!stale.has(name) && !OF_A_CONNECTION.test(name)) all[name] = headers[name]!;
  }
  return Object.assign(all, set);
}
