import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DialectId } from '../core/dialect-ids.js';
import { previewOf } from './log-preview.js';

const preview = (api: DialectId, request: object, response: object | null) =>
  previewOf({ api, request, response } as never);

describe('the preview of a log', () => {
  it('has one space for white space and control characters of any kind', () => {
    const letters = fc.constantFrom('a', 'ä', '漢', '~');
    const blanks = fc.constantFrom(
      ' ',
      '\n',
      '\u0000',
      '\u007f',
      '\u0085',
      '\u00a0',
      '\u1680',
      '\u2028',
      '\ufeff',
    );
    fc.assert(
      fc.property(fc.string({ unit: fc.oneof(letters, blanks), minLength: 1, maxLength: 100 }), (content) => {
        const { input } = preview('openai.chat', { messages: [{ role: 'user', content }] }, null);
        const line = content.replace(/[\s\x00-\x1f\x7f-\x9f]+/g, ' ').trim();
        expect(input).toBe(line === '' ? null : line);
      }),
    );
  });

  it('has what the model said where the client got an error instead', () => {
    const said = (content: string) => ({ choices: [{ message: { role: 'assistant', content } }] });
    const log = { api: 'openai.chat', request: {}, response: said('I am <PERSON>.') } as const;
    const got = (client_response: object) => previewOf({ ...log, client_response } as never).output;
    expect(got({ error: { message: 'The answer was rejected.' } })).toBe('I am <PERSON>.');
    expect(got(said('I am Ann.'))).toBe('I am Ann.');
  });

  it.each<[DialectId, object, object, { input: string | null; output: string | null }]>([
    [
      'openai.chat',
      {
        messages: [
          { role: 'system', content: 'Be kind.' },
          { role: 'user', content: 'First' },
          { role: 'assistant', content: 'Yes?' },
          { role: 'user', content: [{ type: 'text', text: 'Where  is\n it?' }, { type: 'image_url' }] },
        ],
      },
      { choices: [{ message: { role: 'assistant', content: 'There.' } }] },
      { input: 'Where is it?', output: 'There.' },
    ],
    [
      'openai.responses',
      { instructions: 'x', input: [{ role: 'user', content: [{ type: 'input_text', text: 'Hi' }] }] },
      {
        output: [
          { type: 'reasoning', summary: [{ type: 'summary_text', text: 'Hm' }] },
          { type: 'message', content: [{ type: 'output_text', text: 'Hello' }] },
        ],
      },
      { input: 'Hi', output: 'Hello' },
    ],
    ['openai.responses', { input: 'Hi' }, { output: [] }, { input: 'Hi', output: null }],
    [
      'anthropic.messages',
      {
        system: 'x',
        messages: [
          { role: 'user', content: 'Weather?' },
          { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'weather', input: {} }] },
          { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: 'rain' }] },
        ],
      },
      { content: [{ type: 'tool_use', id: 'u', name: 'umbrella', input: {} }] },
      { input: 'Weather?', output: 'umbrella(...)' },
    ],
    [
      'gemini.generate',
      { contents: [{ parts: [{ text: 'Ping' }] }] },
      {
        candidates: [
          { content: { role: 'model', parts: [{ text: 'thinking', thought: true }, { text: 'Pong' }] } },
        ],
      },
      { input: 'Ping', output: 'Pong' },
    ],
    ['openai.embeddings', { input: ['a b', 'c'] }, { vectors: { count: 2 } }, { input: 'c', output: null }],
    [
      'openai.completions',
      { prompt: 'Once' },
      { choices: [{ text: ' upon' }] },
      { input: 'Once', output: 'upon' },
    ],
    [
      'openai.chat',
      { messages: [{ role: 'user', content: 'Go' }] },
      {
        choices: [
          { message: { content: null, tool_calls: [{ function: { name: 'go', arguments: '{}' } }] } },
        ],
      },
      { input: 'Go', output: 'go(...)' },
    ],
  ])('of %s has the last user message and the answer', (api, request, response, expected) => {
    expect(preview(api, request, response)).toEqual(expected);
  });

  it('is cut to one short line that is well-formed text', () => {
    const { input } = preview(
      'openai.chat',
      { messages: [{ role: 'user', content: '😀'.repeat(500) }] },
      null,
    );
    expect(input!.length).toBeLessThanOrEqual(140);
    expect(input).toMatch(/^(😀)+\.\.\.$/u);
  });

  it('has one space for any white space and control characters, and none at its ends', () => {
    const words = (content: string) =>
      preview('openai.chat', { messages: [{ role: 'user', content }] }, null).input;
    for (const blank of [' ', '  ', '\n', '\t', '\u0000', '\u007f', '\u00a0', ' \n', '\u2028 \u0085'])
      expect(words(`${blank}plain${blank}words stay${blank}`)).toBe('plain words stay');
    expect(words(`${'\n'.repeat(300)}far away`)).toBe('far away');
  });

  it('can be made for bodies of any form', () => {
    for (const request of [{}, { messages: null }, { messages: [null, 7, {}] }, { messages: { a: 1 } }]) {
      expect(preview('openai.chat', request, { choices: [null] }).output).toBeNull();
    }
  });
});
