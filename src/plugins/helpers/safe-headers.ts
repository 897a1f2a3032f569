/*
 * The client's headers that a plugin, and a webhook behind it, may see: no credentials and no cookies. Not all names
 * of credential headers can be listed, so every header that may be one by its name or value is left out.
 */
const KNOWN_HARMLESS = new Set(['anthropic-version', 'x-client-request-id', 'x-request-id']);
const CREDENTIAL_NAME =
  /auth|key|token|secret|passw|pwd|credential|cookie|session|signature|jwt|csrf|xsrf|cert|assertion|otp/;
const CREDENTIAL_VALUE = /^\s*(?:bearer|basic|digest|negotiate|token)\s|\beyJ[\w-]+\.|^\s*(?:sk|pk|rk)[-_]/i;

export function safeHeaders(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const safe = Object.entries(headers)
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .filter(([name, value]) => KNOWN_HARMLESS.has(name) || !mayBeCredential(name, value));
  return Object.freeze(Object.fromEntries(safe));
}

function mayBeCredential(name: string, value: string): boolean {
  return CREDENTIAL_NAME.test(name) || CREDENTIAL_VALUE.test(value);
}
