import { describe, expect, it } from 'vitest';
import type { DialectId } from '../core/dialect-ids.js';
import { Secret } from '../core/secret.js';
import type { Provider } from '../core/settings.js';
import { chooseProviderDialect, countsTokens, providerCall } from './providers.js';

function provider(settings: Partial<Provider>): Provider {
  return {
    name: 'p',
    api: 'openai',
    base_url: 'https://api.example.com/v1',
    credential: new Secret('secret'),
    headers: {},
    responses: false,
    prices: {},
    forward_headers: [],
    ...settings,
  };
}

const azure = { api: 'azure_openai', base_url: 'https://x.openai.azure.com' } as const;

describe('providerCall', () => {
  it.each<[string, Partial<Provider>, DialectId, string]>([
    ['OpenAI', {}, 'openai.chat', '/v1/chat/completions'],
    ['OpenAI with Responses', { responses: true }, 'openai.responses', '/v1/responses'],
    ['a server without a path', { base_url: 'http://127.0.0.1:9101' }, 'openai.chat', '/chat/completions'],
    ['a server behind a prefix', { base_url: 'http://h/a/b/v1' }, 'openai.chat', '/a/b/v1/chat/completions'],
    ['Anthropic', { api: 'anthropic' }, 'anthropic.messages', '/v1/messages'],
    ['Gemini', { api: 'gemini' }, 'gemini.generate', '/v1/models/my%20model:generateContent'],
    [
      'a deployment in Azure',
      { ...azure, api_version: '2024-10-21' },
      'openai.chat',
      '/openai/deployments/my%20model/chat/completions?api-version=2024-10-21',
    ],
    [
      'Azure with its path in the URL',
      { ...azure, base_url: 'https://x.openai.azure.com/openai', api_version: '2024-10-21' },
      'openai.chat',
      '/openai/deployments/my%20model/chat/completions?api-version=2024-10-21',
    ],
    [
      'Responses in Azure',
      { ...azure, responses: true, api_version: '2025-04-01-preview' },
      'openai.responses',
      '/openai/responses?api-version=2025-04-01-preview',
    ],
    ["Azure's v1 API", azure, 'openai.chat', '/openai/v1/chat/completions'],
    [
      "Azure's v1 API with its path in the URL",
      { ...azure, base_url: 'https://x.openai.azure.com/openai/v1' },
      'openai.chat',
      '/openai/v1/chat/completions',
    ],
  ])('uses the path of %s', (_name, settings, dialect, path) => {
    expect(providerCall(provider(settings), dialect, 'my model').path).toBe(path);
  });

  it.each<[Provider['api'], DialectId, Record<string, string>]>([
    ['openai', 'openai.chat', { authorization: 'Bearer secret' }],
    ['anthropic', 'anthropic.messages', { 'x-api-key': 'secret' }],
    ['azure_openai', 'openai.chat', { 'api-key': 'secret' }],
    ['gemini', 'gemini.generate', { 'x-goog-api-key': 'secret' }],
  ])('sends the credential of %s in its header', (api, dialect, headers) => {
    expect(providerCall(provider({ api }), dialect, 'm').headers).toEqual(headers);
  });

  it('sends no credential where there is none', () => {
    expect(providerCall(provider({ credential: undefined }), 'openai.chat', 'm').headers).toEqual({});
  });

  it("adds the operator's own headers", () => {
    const headers = { 'X-Team': 'search', Authorization: 'Basic x' };
    expect(providerCall(provider({ headers }), 'openai.chat', 'm').headers).toEqual({
      authorization: 'Basic x',
      'x-team': 'search',
    });
  });

  it('sends the version of an API that requires one, for clients that do not send it', () => {
    const call = providerCall(provider({ api: 'anthropic' }), 'anthropic.messages', 'm');
    expect(call.defaultHeaders).toEqual({ 'anthropic-version': '2023-06-01' });
  });

  it.each<[Partial<Provider>, DialectId, string]>([
    [{ api: 'anthropic' }, 'anthropic.messages', '/v1/messages/count_tokens'],
    [{ responses: true }, 'openai.responses', '/v1/responses/input_tokens'],
    [
      { api: 'gemini', base_url: 'https://g.example/v1beta' },
      'gemini.generate',
      '/v1beta/models/my%20model:countTokens',
    ],
  ])('uses the right path to count tokens at %j', (settings, dialect, path) => {
    expect(countsTokens(provider(settings), dialect)).toBe(true);
    expect(providerCall(provider(settings), dialect, 'my model', { kind: 'count_tokens' }).path).toBe(path);
  });

  it.each<[Partial<Provider>, DialectId]>([
    [{}, 'openai.chat'],
    [{}, 'openai.responses'],
    [{ responses: true, compatible: 'vllm' }, 'openai.responses'],
    [{ ...azure, responses: true }, 'openai.responses'],
    [{ api: 'gemini' }, 'anthropic.messages'],
  ])('does not ask %j for a count in %s', (settings, dialect) => {
    expect(countsTokens(provider(settings), dialect)).toBe(false);
  });
});

describe('chooseProviderDialect', () => {
  it.each<[Partial<Provider>, DialectId, DialectId]>([
    [{}, 'openai.chat', 'openai.chat'],
    [{}, 'openai.responses', 'openai.chat'],
    [{}, 'anthropic.messages', 'openai.chat'],
    [{ responses: true }, 'openai.chat', 'openai.chat'],
    [{ responses: true }, 'openai.responses', 'openai.responses'],
    [{ responses: true }, 'anthropic.messages', 'openai.chat'],
    [{ api: 'anthropic' }, 'openai.chat', 'anthropic.messages'],
    [{ api: 'anthropic' }, 'openai.responses', 'anthropic.messages'],
    [{ api: 'anthropic' }, 'anthropic.messages', 'anthropic.messages'],
    [azure, 'openai.responses', 'openai.chat'],
  ])('chooses for %j and a client of %s: %s', (settings, client, chosen) => {
    expect(chooseProviderDialect(provider(settings), client)).toBe(chosen);
  });
});
