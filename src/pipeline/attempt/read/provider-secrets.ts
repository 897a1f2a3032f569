import type { Provider } from '../../../core/settings.js';

/** The least length of a secret. Shorter values are not credentials and would be found inside words. */
const SHORTEST = 6;
/** A secret of at least this length cannot be a word that a model says, so answers must not repeat it either. */
const SHORTEST_IN_ANSWERS = 16;
const HIDDEN = '[redacted]';
const MAY_HOLD_A_SECRET = /auth|key|token|secret|passw|cookie/i;

const NEEDS_ESCAPES = /["\\\u0000-\u001f]/;

const known = new WeakMap<Provider, readonly string[]>();

/**
 * The secrets that a provider was sent: its credential, and the values of configured headers with telling names. Some
 * providers repeat them in their errors ("Incorrect API key provided: …").
 */
export function secretsOf(provider: Provider): readonly string[] {
  let secrets = known.get(provider);
  if (secrets === undefined) {
    secrets = findSecrets(provider);
    known.set(provider, secrets);
  }
  return secrets;
}

function findSecrets({ credential, headers }: Provider): string[] {
  const named = Object.entries(headers).filter(([name]) => MAY_HOLD_A_SECRET.test(name));
  const values = named.map(([, value]) => value.replace(/^(?:bearer|basic) +/i, ''));
  return [...(credential === undefined ? [] : [credential.reveal()]), ...values].filter(
    (secret) => secret.length >= SHORTEST,
  );
}

export function hideSecrets(text: string, secrets: readonly string[]): string {
  let hidden = text;
  for (const secret of secrets) {
    // The secret as plain text, and as JSON writes it.
    for (const written of new Set([secret, JSON.stringify(secret).slice(1, -1)])) {
      hidden = hidden.replaceAll(written, HIDDEN);
    }
  }
  return hidden;
}

/** Why an answer is dropped whose text contains a credential. */
export const REPEATS_SECRET = 'it repeats a credential of its provider';

/** The secrets that no answer may repeat. Shorter ones could be ordinary words. */
export function unmistakable(secrets: readonly string[]): readonly string[] {
  return secrets.filter(({ length }) => length >= SHORTEST_IN_ANSWERS);
}

/** Whether a text repeats one of them, as plain text or as JSON writes it. */
export function repeatsSecret(text: string, secrets: readonly string[]): boolean {
  return secrets.some(
    (secret) =>
      text.includes(secret) ||
      (NEEDS_ESCAPES.test(secret) && text.includes(JSON.stringify(secret).slice(1, -1))),
  );
}

/**
 * The bytes without secrets; the same object where there are none. They are read as Latin-1, which preserves bytes of
 * any encoding.
 */
export function hideSecretsIn(bytes: Buffer, secrets: readonly string[]): Buffer {
  // Searching the bytes is cheap; decoding megabytes of text is not.
  if (!secrets.some((secret) => NEEDS_ESCAPES.test(secret) || bytes.includes(secret))) return bytes;
  const text = bytes.toString('latin1');
  const hidden = hideSecrets(
    text,
    secrets.map((secret) => Buffer.from(secret).toString('latin1')),
  );
  return hidden === text ? bytes : Buffer.from(hidden, 'latin1');
}
