import { describe, expect, it } from 'vitest';
import { APIS, type Asked, readTools, requestOf } from './request.ts';

const PICTURE = 'data:image/png;base64,AAAA';
const asked = (more: Partial<Asked>): Asked => ({
  api: 'openai.chat',
  endpoint: 'support',
  system: 'Be short.',
  turns: [
    { role: 'user', text: 'Hi', images: [] },
    { role: 'assistant', text: 'Hello.', images: [] },
    { role: 'user', text: 'What is this?', images: [PICTURE] },
  ],
  stream: false,
  temperature: 0.2,
  maxTokens: 64,
  tools: [{ name: 'find', parameters: { type: 'object' } }],
  schema: undefined,
  metadata: { a: 1 },
  ...more,
});

describe('a request of the playground', () => {
  it('has turns, a picture, parameters and tools in the form of Chat Completions', () => {
    expect(requestOf(asked({}))).toEqual({
      model: 'support',
      stream: false,
      temperature: 0.2,
      metadata: { a: 1 },
      max_completion_tokens: 64,
      messages: [
        { role: 'system', content: 'Be short.' },
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: 'Hello.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is this?' },
            { type: 'image_url', image_url: { url: PICTURE } },
          ],
        },
      ],
      tools: [{ type: 'function', function: { name: 'find', parameters: { type: 'object' } } }],
    });
  });

  it('has the same in the form of Responses', () => {
    expect(requestOf(asked({ api: 'openai.responses' }))).toMatchObject({
      instructions: 'Be short.',
      max_output_tokens: 64,
      input: [
        { role: 'user', content: [{ type: 'input_text', text: 'Hi' }] },
        { role: 'assistant', content: [{ type: 'output_text', text: 'Hello.' }] },
        { content: [{ type: 'input_text' }, { type: 'input_image', image_url: PICTURE }] },
      ],
      tools: [{ type: 'function', name: 'find', parameters: { type: 'object' } }],
    });
  });

  it('has the same in the form of Messages', () => {
    expect(requestOf(asked({ api: 'anthropic.messages' }))).toMatchObject({
      system: 'Be short.',
      max_tokens: 64,
      messages: [
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: 'Hello.' },
        {
          content: [
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
            { type: 'text', text: 'What is this?' },
          ],
        },
      ],
      tools: [{ name: 'find', input_schema: { type: 'object' } }],
    });
  });

  it.each(APIS)('has nothing in %s that the person did not set', (api) => {
    const plain = {
      api,
      system: '',
      temperature: undefined,
      maxTokens: undefined,
      tools: [],
      metadata: undefined,
    };
    const request = requestOf(asked({ ...plain, turns: [{ role: 'user', text: 'Hi', images: [] }] }));
    const extra = api === 'anthropic.messages' ? ['max_tokens'] : [];
    const texts = api === 'openai.responses' ? 'input' : 'messages';
    expect(Object.keys(request).sort()).toEqual(['model', 'stream', texts, ...extra].sort());
  });
});

describe('tools that a person wrote', () => {
  it.each([
    ['{', 'not valid JSON'],
    ['{"name": "x"}', 'a list of tools'],
    ['[{"parameters": {}}]', 'a list of tools'],
  ])('are refused: %s', (text, why) => {
    expect(readTools(text)).toEqual({ error: expect.stringContaining(why) });
  });

  it('may be left empty', () => expect(readTools(' ')).toEqual({ tools: [] }));
});
