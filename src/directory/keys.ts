import { hash, randomBytes, timingSafeEqual } from 'node:crypto';

const KEY_START = 'sk-sluice-';
const KEY_RANDOM_BYTES = 32;
const LONGEST_PREFIX = KEY_START.length + 4;

export interface GeneratedKey {
  /** The text of the key, which is shown once and not stored. */
  key: string;
  hash: string;
  prefix: string;
}

/** A key of 256 random bits, so a plain hash of it cannot be reversed. */
export function generateApiKey(): GeneratedKey {
  const key = KEY_START + randomBytes(KEY_RANDOM_BYTES).toString('base64url');
  return { key, hash: hashKey(key), prefix: keyPrefix(key) };
}

/** The SHA-256 of the key's text, in hexadecimal. */
export function hashKey(key: string): string {
  return hash('sha256', key, 'hex');
}

/** The first characters of a key, by which people recognize it: at most a third of a short key. */
export function keyPrefix(key: string): string {
  return key.slice(0, Math.min(LONGEST_PREFIX, Math.floor(key.length / 3)));
}

/** Whether two hashes are equal, in constant time. */
export function equalHashes(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
