import type { DialectId } from '../../core/log-record.js';
import type { Provider } from '../../core/settings.js';
import type { Headers } from '../http.js';

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

export function goesToEveryProvider(name: string): boolean {
  return ALWAYS.test(name);
}

/** The client's headers that this provider gets beside those that every provider gets. */
export function forwardedHeaders(
  headers: Headers,
  provider: Pick<Provider, 'forward_headers'>,
  dialects: { client: DialectId; provider: DialectId },
): Record<string, string> {
  const ofDialect =
    dialects.client === dialects.provider ? OF_DIALECT[dialects.client.split('.')[0]!] : undefined;
  const isListed = (name: string) =>
    (ofDialect?.test(name) || provider.forward_headers.includes(name)) && !NEVER.test(name);
  return Object.fromEntries(Object.entries(headers).filter(([name]) => isListed(name)));
}
