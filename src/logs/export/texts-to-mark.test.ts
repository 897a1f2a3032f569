import { expect, it } from 'vitest';
import type { JsonValue } from '../../core/json.js';
import { type TextToMark, textsToMark } from './texts-to-mark.js';

type Message = { role: string; content: JsonValue };

function chat(messages: Message[], answer: string | null = 'Fine.') {
  const choices = [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: answer } }];
  return {
    api: 'openai.chat' as const,
    request: { model: 'support', messages } as JsonValue,
    response: answer === null ? null : ({ choices } as JsonValue),
  };
}

const user = (content: JsonValue) => ({ role: 'user', content });
const shown = ({ phase, place, role, text }: TextToMark) => [phase, place, role, text];

it('the texts to mark are what was asked since the last answer, and the answer', async () => {
  const earlier = [
    { role: 'system', content: 'Be kind.' },
    user('Hi'),
    { role: 'assistant', content: 'Hello.' },
  ];
  const parts = [
    { type: 'text', text: 'I am Ann.' },
    { type: 'text', text: 'And you?' },
  ];
  const { texts, cut } = await textsToMark(chat([...earlier, user(parts)]));
  expect(texts.map(shown)).toEqual([
    ['request', '/3/parts/0/text', 'user', 'I am Ann.'],
    ['request', '/3/parts/1/text', 'user', 'And you?'],
    ['response', '/0/parts/0/text', 'assistant', 'Fine.'],
  ]);
  expect(cut).toBe(false);
});

it('an answer that the client began does not hide the question before it', async () => {
  const { texts } = await textsToMark(chat([user('Who?'), { role: 'assistant', content: 'It is' }], null));
  expect(texts.map(({ text }) => text)).toEqual(['Who?', 'It is']);
});

it('a log without content, and a request that nobody can read, have no texts to mark', async () => {
  const none = { texts: [], cut: false };
  expect(await textsToMark({ api: 'openai.chat', request: null, response: null })).toEqual(none);
  expect(await textsToMark({ api: 'openai.chat', request: { messages: 7 }, response: { a: 1 } })).toEqual(
    none,
  );
});

it('long texts are cut, and never inside a character', async () => {
  const { texts, cut } = await textsToMark(chat([user(`x${'🙂'.repeat(10_000)}`)], 'Ok.'));
  expect(texts.map(({ text }) => text.length)).toEqual([19_999, 3]);
  expect(texts[0]!.text.isWellFormed()).toBe(true);
  expect(cut).toBe(true);
});

it('many texts are left out', async () => {
  const { texts, cut } = await textsToMark(chat(Array.from({ length: 120 }, (_, index) => user(`${index}`))));
  expect(texts).toHaveLength(100);
  expect(cut).toBe(true);
});
