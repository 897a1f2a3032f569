import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../core/json.js';
import { atOnce } from '../../../core/pacing/steps.js';
import { dialectById } from '../../../dialects/index.js';
import { extraTexts, hasNoExtraTexts } from './extra-texts.js';

it.each([
  {
    at: 'the last event of a Responses stream',
    dialect: 'openai.responses' as const,
    path: ['response', 'output', 0, 'content', 0, 'text'],
    frame: {
      type: 'response.completed',
      response: {
        instructions: 'said by the client',
        output: [{ type: 'message', content: [{ type: 'output_text', text: 'said nowhere else' }] }],
      },
    },
  },
  {
    at: 'the first event of a Messages stream',
    dialect: 'anthropic.messages' as const,
    path: ['message', 'content', 0, 'text'],
    frame: {
      type: 'message_start',
      message: { id: 'msg_1', content: [{ type: 'text', text: 'said nowhere else' }] },
    },
  },
])('a text that is only in the whole answer of $at is found', ({ dialect, frame, path }) => {
  const found = atOnce(extraTexts(frame as unknown as JsonObject, dialectById(dialect)));
  const there = found.find(({ text }) => text === 'said nowhere else');
  expect(there?.edit('x').path).toEqual(path);
  expect(there?.growsAs).toBeUndefined();
  expect(found.map(({ text }) => text)).not.toContain('said by the client');
});

describe('a frame that has no text but that of its deltas', () => {
  const chat = dialectById('openai.chat');
  const frameOf = (delta: JsonObject, more: JsonObject = {}): JsonObject => ({
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    model: 'large',
    choices: [{ index: 0, delta, finish_reason: null }],
    ...more,
  });

  it.each<[string, JsonObject, string[], boolean]>([
    ['begins an answer', frameOf({ role: 'assistant', content: '' }), [], true],
    ['has one piece of text', frameOf({ content: 'Hello' }), ['Hello'], true],
    ['ends an answer', frameOf({}, { usage: { prompt_tokens: 1 } }), [], true],
    ['says something under another name', frameOf({ content: 'Hello', aside: 'Ann' }), ['Hello'], false],
    ['says something beside its choices', frameOf({ content: 'Hello' }, { note: 'Ann' }), ['Hello'], false],
  ])('is known without a walk: one that %s', (_what, frame, deltas, expected) => {
    expect(hasNoExtraTexts(frame, deltas, chat)).toBe(expected);
  });

  it('has none that the walk finds', () => {
    const text = fc.constantFrom<string>('', 'a', 'Ann Lee', 'stop', 'chatcmpl-1');
    const value = fc.oneof(text, fc.integer(), fc.jsonValue({ maxDepth: 2 }));
    const members = fc.dictionary(fc.constantFrom('content', 'role', 'refusal', 'tool_calls', 'x'), value);
    const more = fc.dictionary(fc.constantFrom('usage', 'service_tier', 'note', 'Ann Lee'), value);
    fc.assert(
      fc.property(members, more, fc.array(text, { maxLength: 2 }), (delta, other, deltas) => {
        const frame = frameOf(delta as JsonObject, other as JsonObject);
        const walked = atOnce(extraTexts(frame, chat)).filter((found) => !deltas.includes(found.text));
        if (hasNoExtraTexts(frame, deltas, chat)) expect(walked).toEqual([]);
      }),
    );
  });
});
