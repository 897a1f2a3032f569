import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../core/json.js';
import { dialectById } from '../index.js';
import { stepsOf } from '../wire/splice.js';
import { textsOf } from './fields.js';
import { findTexts } from './find-texts.js';

describe('the texts of what nobody knows', () => {
  it('are its strings, in order, with their places', () => {
    const value = {
      type: 'search_result',
      title: 'A',
      content: [{ type: 'text', text: 'B' }],
      n: 1,
      empty: '',
    };
    const found = findTexts(value, ['x']).map(({ text, path }) => ({ text, path: stepsOf(path) }));
    expect(found).toEqual([
      { text: 'A', path: ['x', 'title'] },
      { text: 'B', path: ['x', 'content', 0, 'text'] },
    ]);
  });

  it('are not ids, proofs, or data', () => {
    const value = {
      id: 'a',
      tool_use_id: 'b',
      encrypted_content: 'c',
      signature: 'd',
      data: 'A'.repeat(300),
      url: 'data:image/png;base64,AAAA',
    };
    expect(findTexts(value, [])).toEqual([]);
  });

  it('are found however deep they are', () => {
    let value: JsonValue = 'deep';
    for (let depth = 0; depth < 2000; depth++) value = [value];
    expect(findTexts(value, []).map(({ text }) => text)).toEqual(['deep']);
  });

  it('share what leads to them, so that many that lie deep take no more room than many that do not', () => {
    const [first, second] = findTexts({ list: ['a', 'b'] }, ['x']).map(({ path }) => path);
    expect(first).toMatchObject({ step: 0 });
    expect(second).toMatchObject({ step: 1 });
    expect((second as { within: unknown }).within).toBe((first as { within: unknown }).within);
  });

  it('can be as many as fit into a request', () => {
    const words = Array.from({ length: 200_000 }, () => 'a');
    const value = { messages: [{ role: 'user', content: [{ type: 'hologram', words }] }] };
    const document = { text: JSON.stringify(value), value };
    const dialect = dialectById('openai.chat');
    const messages = dialect.readMessages(document);
    expect(textsOf(messages[0]!.parts)).toHaveLength(words.length);
    const masked = JSON.parse(
      JSON.stringify(messages, (key, text) => (key === 'text' && text === 'a' ? 'b' : text)),
    );
    expect(dialect.writeMessages(document, masked).text).toBe(document.text.replaceAll('"a"', '"b"'));
  });

  it('are those of results of tools within one another, which no API knows', () => {
    let block: JsonValue = { type: 'text', text: 'secret' };
    for (let depth = 0; depth < 200; depth++)
      block = { type: 'tool_result', tool_use_id: 'a', content: [block] };
    const value = { messages: [{ role: 'user', content: [block] }] };
    const [message] = dialectById('anthropic.messages').readMessages({ text: JSON.stringify(value), value });
    expect(message?.parts).toMatchObject([
      {
        type: 'tool-result',
        parts: [{ type: 'other' }, { type: 'tool-result', parts: [{ type: 'text', text: 'secret' }] }],
      },
    ]);
  });

  it.each<[Parameters<typeof dialectById>[0], JsonObject]>([
    [
      'anthropic.messages',
      {
        messages: [
          {
            role: 'user',
            content: [
              {
                type: 'search_result',
                source: 'https://x',
                title: 't',
                content: [{ type: 'text', text: 'secret' }],
              },
              {
                type: 'document',
                context: 'secret',
                source: { type: 'text', media_type: 'text/plain', data: 'secret' },
              },
            ],
          },
        ],
      },
    ],
    ['openai.chat', { messages: [{ role: 'user', content: [{ type: 'hologram', words: 'secret' }] }] }],
    ['openai.responses', { input: [{ type: 'shell_call', action: { commands: ['secret'] } }] }],
  ])('are guarded in %s, and can be masked', (id, value) => {
    const dialect = dialectById(id);
    const document = { text: JSON.stringify(value), value };
    const messages = dialect.readMessages(document);
    expect(textsOf(messages.flatMap((message) => message.parts))).toContain('secret');
    const masked = JSON.parse(
      JSON.stringify(messages, (key, text) => (key === 'text' && text === 'secret' ? '<X>' : text)),
    );
    expect(dialect.writeMessages(document, masked).text).toBe(document.text.replaceAll('secret', '<X>'));
  });
});
