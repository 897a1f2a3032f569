import { expect, it } from 'vitest';
import { baseUrl } from './base-url.js';

it('parses the URL of a provider once, and again when it changed', () => {
  const provider = { base_url: 'https://one.example/v1' };
  expect(baseUrl(provider)).toBe(baseUrl(provider));
  expect(baseUrl(provider).pathname).toBe('/v1');
  expect(baseUrl({ ...provider, base_url: 'https://two.example/v1' }).origin).toBe('https://two.example');
});
