import { describe, expect, it } from 'vitest';
import type { LogRecord } from '../../../core/log-record.js';
import { searchWords, wordsOf } from './words.js';

describe('the words of a text', () => {
  it.each([
    ['Où est l’Éléphant_42?', ['où', 'est', 'l', 'éléphant_42']],
    ['ＦＵＬＬ full', ['full']],
    ['a\u0301 \u00e1', ['á']],
    ['東京都 ok', ['東京', '京都', 'ok']],
    ['猫', ['猫']],
    ['!? …', []],
    [`${'x'.repeat(65)} y`, ['y']],
  ])('%s are %j', (text, words) => {
    expect(wordsOf(text)).toEqual(words);
  });

  it('are limited, whatever a client sends', () => {
    const long = Array.from({ length: 5000 }, (_, index) => `w${index}`).join(' ');
    expect(wordsOf(long)).toHaveLength(256);
    expect(wordsOf('東京'.repeat(100_000)).length).toBeLessThanOrEqual(256);
  });

  const said = (request: object | null, response: object | null, api: LogRecord['api'] = 'openai.chat') =>
    searchWords({ api, request, response } as unknown as LogRecord);

  it('are found where the APIs have texts, and not in ids, pictures or settings', () => {
    const request = {
      model: 'secret-model',
      temperature: 1,
      messages: [
        { role: 'system', content: 'kind' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'hello' },
            { type: 'image_url', image_url: { url: 'https://x.example/rome.png' } },
          ],
        },
        {
          role: 'assistant',
          tool_calls: [
            { id: 'c', type: 'function', function: { name: 'find', arguments: '{"city":"Rome"}' } },
          ],
        },
      ],
      tools: [{ type: 'function', function: { name: 'find', description: 'never searched' } }],
    };
    const response = {
      id: 'x',
      choices: [{ index: 0, message: { role: 'assistant', content: 'world' }, finish_reason: 'stop' }],
    };
    expect(said(request, response)).toEqual(['world', 'city', 'rome', 'hello', 'kind']);
  });

  it('are those of the answer and of the last message first, and of a system prompt last', () => {
    const long = Array.from({ length: 5000 }, (_, index) => `w${index}`).join(' ');
    const messages = [
      { role: 'user', content: long },
      { role: 'user', content: 'question' },
    ];
    const answer = { content: [{ type: 'text', text: 'answer' }] };
    const words = said({ messages, system: long }, answer, 'anthropic.messages');
    expect(words.slice(0, 2)).toEqual(['answer', 'question']);
  });

  it('are found however deep the body is', () => {
    let body: object = { text: 'deep' };
    for (let depth = 0; depth < 20_000; depth++) body = { inner: [body] };
    expect(said(null, body)).toEqual(['deep']);
  });
});
