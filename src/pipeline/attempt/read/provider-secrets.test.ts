import { describe, expect, it } from 'vitest';
import { Secret } from '../../../core/secret.js';
import type { Provider } from '../../../core/settings.js';
import { hideSecrets, hideSecretsIn, secretsOf } from './provider-secrets.js';

const provider = (credential: string, headers: Record<string, string> = {}): Provider => ({
  name: 'local',
  api: 'openai',
  base_url: 'http://127.0.0.1/v1',
  credential: new Secret(credential),
  headers,
  forward_headers: [],
  responses: false,
  prices: {},
});

describe('what a provider was sent', () => {
  it('is its credential, and those of its headers whose names say so', () => {
    const headers = { 'X-Gateway-Token': 'Bearer gate-4711', 'x-region': 'europe-west' };
    expect(secretsOf(provider('sk-provider', headers))).toEqual(['sk-provider', 'gate-4711']);
  });

  it('is hidden wherever it stands, also as JSON writes it', () => {
    expect(hideSecrets('no key sk-provider, sk-provider', ['sk-provider'])).toBe(
      'no key [redacted], [redacted]',
    );
    expect(hideSecrets(JSON.stringify({ key: 'a"b\\c-key' }), ['a"b\\c-key'])).toBe('{"key":"[redacted]"}');
  });

  it('is hidden in bytes of any encoding, which are the same otherwise', () => {
    const bytes = Buffer.concat([Buffer.from('Schlüssel sk-prövider '), Buffer.from([0xff, 0xfe])]);
    const expected = Buffer.concat([Buffer.from('Schlüssel [redacted] '), Buffer.from([0xff, 0xfe])]);
    expect(hideSecretsIn(bytes, ['sk-prövider'])).toEqual(expected);
    expect(hideSecretsIn(bytes, ['other-key'])).toBe(bytes);
  });

  it('is not looked for where it is too short to be a credential', () => {
    expect(secretsOf(provider('key'))).toEqual([]);
  });
});
