/*
 * What a plugin, and a webhook beyond it, may know of a client's headers. An allow list, since the names under
 * which people send credentials cannot be listed.
 */
const ALLOWED_HEADERS = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'anthropic-beta',
  'anthropic-version',
  'content-length',
  'content-type',
  'forwarded',
  'host',
  'openai-beta',
  'origin',
  'traceparent',
  'tracestate',
  'user-agent',
  'x-client-request-id',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-request-id',
]);

const ALLOWED_PREFIX = 'x-stainless-';

export function safeHeaders(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const safe = Object.entries(headers)
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .filter(([name]) => ALLOWED_HEADERS.has(name) || name.startsWith(ALLOWED_PREFIX));
  return Object.freeze(Object.fromEntries(safe));
}
