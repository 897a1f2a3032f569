import { describe, expect, it } from 'vitest';
import { safeHeaders } from './safe-headers.js';

describe('headers of a client, as plugins and webhooks see them', () => {
  it("include the client's own headers", () => {
    const headers = {
      'User-Agent': 'curl',
      'x-tenant': 'acme',
      'x-request-id': 'sk-1',
      'accept-language': 'de',
    };
    expect(safeHeaders(headers)).toEqual({
      'user-agent': 'curl',
      'x-tenant': 'acme',
      'x-request-id': 'sk-1',
      'accept-language': 'de',
    });
  });

  it.each([
    ['authorization', 'Bearer k'],
    ['Proxy-Authorization', 'Basic k'],
    ['cookie', 'a=b'],
    ['x-api-key', 'k'],
    ['api-key', 'k'],
    ['x-goog-api-key', 'k'],
    ['x-amz-security-token', 'k'],
    ['x-vault-token', 'k'],
    ['x-client-secret', 'k'],
    ['x-session-id', 'k'],
    ['x-forwarded-client-cert', 'k'],
    ['x-user', 'Bearer k'],
    ['x-user', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln'],
    ['x-upstream', 'sk-4711'],
  ])('do not include %s: %s', (name, value) => {
    expect(safeHeaders({ [name]: value })).toEqual({});
  });
});
