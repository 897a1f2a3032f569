import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../core/json.js';
import type { Message } from '../../core/message.js';
import { atOnce } from '../../core/pacing/steps.js';
import * as inSteps from './messages.js';

const showMessages = (messages: readonly Message[]) => atOnce(inSteps.showMessages(messages));
const readMessages = (messages: readonly Message[], given: JsonValue) =>
  atOnce(inSteps.readMessages(messages, given));

const conversation: Message[] = [
  { role: 'system', parts: [{ type: 'text', text: 'Be kind.' }] },
  {
    role: 'user',
    parts: [
      { type: 'text', text: 'Look:' },
      { type: 'image', source: { kind: 'url', url: 'https://a.example/b.png' } },
    ],
  },
  {
    role: 'assistant',
    parts: [
      { type: 'reasoning', text: 'Hm.' },
      { type: 'tool-call', id: 'c-1', name: 'find', arguments: '{"q":1}' },
    ],
  },
  { role: 'tool', parts: [{ type: 'tool-result', callId: 'c-1', parts: [{ type: 'text', text: 'found' }] }] },
  {
    role: 'user',
    parts: [
      { type: 'tool-result', callId: 'c-2', parts: [{ type: 'text', text: 'two' }] },
      { type: 'document', source: { kind: 'text', text: 'page' } },
    ],
  },
  { role: 'assistant', parts: [] },
];

const shown: JsonValue = [
  { role: 'system', content: 'Be kind.' },
  { role: 'user', content: [{ type: 'text', text: 'Look:' }, { type: 'image' }] },
  {
    role: 'assistant',
    content: [{ type: 'reasoning', text: 'Hm.' }],
    tool_calls: [{ id: 'c-1', type: 'function', function: { name: 'find', arguments: '{"q":1}' } }],
  },
  { role: 'tool', content: 'found', tool_call_id: 'c-1' },
  {
    role: 'user',
    content: [
      { type: 'tool_result', tool_call_id: 'c-2', content: 'two' },
      { type: 'document', text: 'page' },
    ],
  },
  { role: 'assistant', content: null },
];

/** The shown messages with each string that the map names replaced. */
function withTexts(texts: Record<string, string>): JsonValue {
  return JSON.parse(JSON.stringify(shown), (_, value) =>
    typeof value === 'string' ? (texts[value] ?? value) : value,
  );
}

describe('messages as a webhook sees them', () => {
  it('have the form of Chat Completions, one for each of ours', () => {
    expect(showMessages(conversation)).toEqual(shown);
  });

  it('are read back unchanged', () => {
    expect(readMessages(conversation, shown)).toEqual(conversation);
  });

  it('are read back with the changed texts, wherever they are', () => {
    const texts = {
      'Be kind.': '1',
      'Look:': '2',
      'Hm.': '3',
      '{"q":1}': '4',
      found: '5',
      two: '6',
      page: '7',
    };
    const read = readMessages(conversation, withTexts(texts));
    expect(showMessages(read)).toEqual(withTexts(texts));
    expect(read[1]?.parts[1]).toBe(conversation[1]?.parts[1]);
  });

  it('may leave out what is not changed', () => {
    const only = conversation.slice(0, 1);
    expect(readMessages(only, [{}])).toEqual(only);
    expect(readMessages(only, [{ content: 'Be brief.' }])).toEqual([
      { role: 'system', parts: [{ type: 'text', text: 'Be brief.' }] },
    ]);
  });

  it.each<[string, JsonValue]>([
    ['no list', 'hello'],
    ['fewer messages', [{ role: 'system', content: 'x' }]],
    ['another role', [{ role: 'user', content: 'x' }]],
    ['a content that is none', [{ role: 'system', content: 7 }]],
    ['a list for a text', [{ role: 'system', content: [] }]],
    ['null for a text', [{ role: 'system', content: null }]],
    ['a message that is none', ['x']],
  ])('are refused with %s', (name, given) => {
    const of = name === 'fewer messages' ? conversation : conversation.slice(0, 1);
    expect(() => readMessages(of, given)).toThrow(/gave|changed/);
  });

  it('are refused with an additional part', () => {
    const given = withTexts({}) as { content: JsonValue[] }[];
    given[1]!.content.push({ type: 'text', text: 'more' });
    expect(() => readMessages(conversation, given as JsonValue)).toThrow(/message 1/);
  });
});
