import { describe, expect, it } from 'vitest';
import { findWireMistakes } from './check-wire.mjs';

const check = (files) => findWireMistakes(new Map(Object.entries(files)));

describe('names of a wire API', () => {
  it.each([
    ['are known in its folder', { 'dialects/openai-chat/parse.ts': 'const { tool_calls } = message;' }],
    [
      'may stand in comments',
      { 'core/a.ts': '// As in `tool_calls`.\n/* and response_format */ const a = 1;' },
    ],
    ['of the neutral form are for everybody', { 'pipeline/a.ts': 'choice.finishReason; messages.content' }],
    ['stand where there is a reason', { 'logs/export/trl.ts': 'const { tool_calls } = message;' }],
    ['are whole words', { 'core/a.ts': "const my_tool_calls = 'x-tool_calls';" }],
  ])('may be in %s', (_, files) => {
    expect(check(files)).toEqual([]);
  });

  it.each([
    'body.tool_calls',
    "body['finish_reason']",
    "'openai.chat'",
    "'/gemini/v1beta'",
    'generationConfig:',
  ])('may not be elsewhere: %s', (code) => {
    expect(check({ 'pipeline/a.ts': `const a = ${code}` })).toEqual([
      expect.stringMatching(/^src\/pipeline\/a\.ts: mentions .+ of a wire API/),
    ]);
  });
});
