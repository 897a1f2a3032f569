import { describe, expect, it } from 'vitest';
import { equalHashes, generateApiKey, hashKey, keyPrefix } from './keys.js';

describe('a generated key', () => {
  it('has 256 random bits after a fixed beginning', () => {
    const { key } = generateApiKey();
    expect(key).toMatch(/^sk-sluice-[A-Za-z0-9_-]{43}$/);
    expect(generateApiKey().key).not.toBe(key);
  });

  it('is recognized by its hash, and by people from a few characters', () => {
    const { key, hash, prefix } = generateApiKey();
    expect(hash).toBe(hashKey(key));
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    expect(key.startsWith(prefix)).toBe(true);
    expect(prefix).toHaveLength(14);
  });
});

it('shows no more than a third of a short key', () => {
  expect(keyPrefix('sk-demo')).toBe('sk');
  expect(keyPrefix('ab')).toBe('');
});

it('finds hashes equal only where they are', () => {
  expect(equalHashes(hashKey('a'), hashKey('a'))).toBe(true);
  expect(equalHashes(hashKey('a'), hashKey('b'))).toBe(false);
  expect(equalHashes(hashKey('a'), '')).toBe(false);
});
