import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../core/json.js';
import { textsOf } from '../../core/part-texts.js';
import { dialectById } from '../index.js';
import { stepsOf } from '../wire/splice.js';
import { findTexts } from './find-texts.js';
import { bytes, id, Members, media, proof, userId, whole, word } from './members.js';

describe('the texts of what nobody knows', () => {
  it('are its strings, in order, with their places', () => {
    const value = {
      type: 'search_result',
      title: 'A',
      content: [{ type: 'text', text: 'B' }],
      n: 1,
      empty: '',
    };
    const found = findTexts(value, ['x'], undefined).map(({ text, path }) => ({ text, path: stepsOf(path) }));
    expect(found).toEqual([
      { text: 'search_result', path: ['x', 'type'] },
      { text: 'A', path: ['x', 'title'] },
      { text: 'text', path: ['x', 'content', 0, 'type'] },
      { text: 'B', path: ['x', 'content', 0, 'text'] },
    ]);
  });

  it('are not words, ids, proofs and data, where a dialect knows them to stand', () => {
    const value = {
      id: 'a',
      kind: 'b',
      signature: 'd',
      data: 'A'.repeat(300),
      url: 'data:image/png;base64,AAAA',
      kept: { name: 'Ann', more: ['x'] },
    };
    const members = { id, kind: word, signature: proof, data: bytes, url: media, kept: whole('kept') };
    const known = new Members(() => members);
    expect(findTexts(value, [], known)).toEqual([]);
    const unknown = ['a', 'b', 'd', value.data, value.url, 'Ann', 'x'];
    expect(findTexts(value, [], undefined).map(({ text }) => text)).toEqual(unknown);
    const said = { id: 'my id', kind: '123-45-6789', signature: 'Ann!', data: 'Ann', url: 'data:Ann' };
    expect(findTexts(said, [], known).map(({ text }) => text)).toEqual(Object.values(said));
  });

  it('are addresses of people in place of the ids of users', () => {
    const ids = ['anna@mail.example', 'user_1', 'user@4'];
    const known = new Members(() => ({ ids: userId }));
    expect(findTexts({ ids }, [], known).map(({ text }) => text)).toEqual(['anna@mail.example']);
  });

  it('are names of members and long numbers too, where nothing is known', () => {
    const value = { '4111 1111': 'a', plain: 123456789, short: 12 };
    expect(findTexts(value, [], undefined).map(({ text }) => text)).toEqual(['4111 1111', 'a', '123456789']);
  });

  it('are found however deep they are', () => {
    let value: JsonValue = 'deep';
    for (let depth = 0; depth < 2000; depth++) value = [value];
    expect(findTexts(value, [], undefined).map(({ text }) => text)).toEqual(['deep']);
  });

  it('share what leads to them, so that many that lie deep take no more room than many that do not', () => {
    const [first, second] = findTexts({ list: ['a', 'b'] }, ['x'], undefined).map(({ path }) => path);
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
