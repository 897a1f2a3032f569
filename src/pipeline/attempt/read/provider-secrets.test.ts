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

describe('the secrets that a provider was sent', () => {
  it('are its credential, and headers whose names say that they are secret', () => {
    const headers = { 'X-Gateway-Token': 'Bearer gate-4711', 'x-region': 'europe-west' };
    expect(secretsOf(provider('sk-provider', headers))).toEqual(['sk-provider', 'gate-4711']);
  });

  it('are hidden wherever they are, also as escaped in JSON', () => {
    expect(hideSecrets('no key sk-provider, sk-provider', ['sk-provider'])).toBe(
      'no key [redacted], [redacted]',
    );
    expect(hideSecrets(JSON.stringify({ key: 'a"b\\c-key' }), ['a"b\\c-key'])).toBe('{"key":"[redacted]"}');
  });

  it('are hidden in bytes of any encoding, which are unchanged otherwise', () => {
    const bytes = Buffer.concat([Buffer.from('Schlüssel sk-prövider '), Buffer.from([0xff, 0xfe])]);
    const expected = Buffer.concat([Buffer.from('Schlüssel [redacted] '), Buffer.from([0xff, 0xfe])]);
    expect(hideSecretsIn(bytes, ['sk-prövider'])).toEqual(expected);
    expect(hideSecretsIn(bytes, ['other-key'])).toBe(bytes);
  });

  it('are not looked for where they are too short to be a credential', () => {
    expect(secretsOf(provider('key'))).toEqual([]);
  });
});
