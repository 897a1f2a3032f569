import type { Provider } from '../../../core/settings.js';

/** Shorter ones are no credentials, and would be found in the midst of words. */
const SHORTEST = 6;
const HIDDEN = '[redacted]';
const MAY_HOLD_A_SECRET = /auth|key|token|secret|passw|cookie/i;

const known = new WeakMap<Provider, readonly string[]>();

/**
 * What a provider was sent and nobody else may read: its credential, and the values of its configured headers whose
 * names say so. Some providers repeat it in their errors ("Incorrect API key provided: …").
 */
export function secretsOf(provider: Provider): readonly string[] {
  const secrets = known.get(provider) ?? findSecrets(provider);
  known.set(provider, secrets);
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
    // As it stands, and as JSON writes it.
    for (const written of new Set([secret, JSON.stringify(secret).slice(1, -1)])) {
      hidden = hidden.replaceAll(written, HIDDEN);
    }
  }
  return hidden;
}

/** The same bytes where they hold none. Reads them as Latin-1, which changes no byte of another encoding. */
export function hideSecretsIn(bytes: Buffer, secrets: readonly string[]): Buffer {
  const text = bytes.toString('latin1');
  const hidden = hideSecrets(
    text,
    secrets.map((secret) => Buffer.from(secret).toString('latin1')),
  );
  return hidden === text ? bytes : Buffer.from(hidden, 'latin1');
}
