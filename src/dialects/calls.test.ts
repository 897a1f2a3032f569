import { describe, expect, it } from 'vitest';
import { findCall, gatewayCallsOf } from './calls.js';

describe('a path', () => {
  it.each([
    ['POST', 'openai/v1/chat/completions', 'answer', undefined],
    ['POST', 'openai/v1/responses///', 'answer', undefined],
    ['POST', 'anthropic/v1/messages/', 'answer', undefined],
    ['GET', 'openai/v1/models', 'models', undefined],
    ['GET', 'anthropic/v1/models/', 'models', undefined],
    ['GET', 'openai/v1/models/support', 'models', 'support'],
    ['GET', 'anthropic/v1/models/a%2Fb%20c', 'models', 'a/b c'],
    ['GET', 'openai/v1/models/meta/llama', 'models', 'meta/llama'],
    ['GET', 'gemini/v1beta/models/support', 'models', 'support'],
    ['POST', 'gemini/v1beta/models/support:generateContent/', 'answer', undefined],
    ['POST', 'gemini/v1beta/models/support:countTokens', 'count_tokens', undefined],
    ['POST', 'openai/v1/responses/input_tokens', 'count_tokens', undefined],
  ])('%s %s is a call', (method, path, kind, model) => {
    const found = findCall(method, path);
    expect([found?.call.kind, found?.listed]).toEqual([kind, model]);
  });

  it.each([
    ['GET', 'openai/v1/responses'],
    ['DELETE', 'openai/v1/models/support'],
    ['POST', 'openai/v1/models/support'],
    ['POST', 'openai/v1/messages'],
    ['GET', 'openai/v1/models/100%'],
    ['GET', 'models'],
  ])('%s %s is not a call', (method, path) => {
    expect(findCall(method, path)).toBeUndefined();
  });

  it('of a known API that is unknown is answered with the known ones', () => {
    expect(gatewayCallsOf('anthropic/v1/complete')).toEqual([
      'POST /anthropic/v1/messages',
      'POST /anthropic/v1/messages/count_tokens',
      'GET /anthropic/v1/models',
      'GET /anthropic/v1/models/{name}',
    ]);
    expect(gatewayCallsOf('logs')).toEqual([]);
  });
});
