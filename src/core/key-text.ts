import { createHash } from 'node:crypto';

/** The headers that can hold a key. Names are in lower case. */
export interface KeyHeaders {
  authorization?: string;
  'x-api-key'?: string | string[];
  'x-goog-api-key'?: string | string[];
}

/** The key of a request, for gateway and admin alike: `Authorization: Bearer`, else `x-api-key` or `x-goog-api-key`. */
export function readKeyText(headers: KeyHeaders): string | undefined {
  const bearer = /^bearer\s+(\S+)\s*$/i.exec(headers.authorization ?? '')?.[1];
  if (bearer !== undefined) return bearer;
  const named = [headers['x-api-key'], headers['x-goog-api-key']];
  return named.find((header): header is string => typeof header === 'string' && header !== '');
}

const FINGERPRINT_DIGITS = 8;

/** Tells keys apart whose first characters are the same. `hash` is the hex SHA-256 of the key's text. */
export function keyFingerprint(hash: string): string {
  return createHash('sha256').update(`fingerprint:${hash}`).digest('hex').slice(0, FINGERPRINT_DIGITS);
}
