import { describe, expect, it } from 'vitest';
import { forwardedHeaders, goesToEveryProvider, staleHeaders } from './forward-headers.js';

const SENT = {
  'anthropic-beta': 'a',
  'anthropic-version': '2023-06-01',
  'openai-beta': 'b',
  'openai-organization': 'org',
  'openai-project': 'p',
  'x-tenant': 't',
  cookie: 'c',
};
const none = { forward_headers: [] };

describe("a client's headers", () => {
  it('are sent to a provider of the same dialect where the dialect needs them', () => {
    const same = { client: 'anthropic.messages', provider: 'anthropic.messages' } as const;
    expect(Object.keys(forwardedHeaders(SENT, none, same))).toEqual(['anthropic-beta', 'anthropic-version']);
  });

  it('are not sent to a provider of another dialect', () => {
    const other = { client: 'anthropic.messages', provider: 'openai.chat' } as const;
    expect(forwardedHeaders(SENT, none, other)).toEqual({});
  });

  it('are sent where the operator lists them, except for those that choose who pays', () => {
    const listed = { forward_headers: ['x-tenant', 'openai-organization', 'openai-project', 'cookie'] };
    const same = { client: 'openai.chat', provider: 'openai.chat' } as const;
    expect(forwardedHeaders(SENT, listed, same)).toEqual({ 'openai-beta': 'b', 'x-tenant': 't' });
  });

  it('do not include tracestate where traceparent is missing or invalid', () => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    expect(staleHeaders({ traceparent, tracestate: 'a=1', cookie: 'c' })).toEqual(['cookie']);
    expect(staleHeaders({ traceparent: 'none', tracestate: 'a=1' })).toEqual(['tracestate']);
    expect(staleHeaders({ tracestate: 'a=1' })).toEqual(['tracestate']);
  });

  it('are always sent where HTTP, tracing or the SDKs need them', () => {
    const names = [':path', 'content-type', 'traceparent', 'x-request-id', 'x-stainless-lang', 'user-agent'];
    expect(names.filter((name) => !goesToEveryProvider(name))).toEqual([]);
    expect(['x-tenant', 'openai-project', 'cookie', 'forwarded'].filter(goesToEveryProvider)).toEqual([]);
  });
});
