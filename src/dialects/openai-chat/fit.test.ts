import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../core/json.js';
import { chatTraits } from '../compatible.js';
import { fitRequestMembers } from './fit.js';

const MISTRAL = chatTraits({ api: 'openai', base_url: 'https://api.mistral.ai/v1', compatible: 'mistral' });
const fitted = (messages: JsonObject[]) => fitRequestMembers({ model: 'm', messages }, MISTRAL).messages;

const user = (content: string): JsonObject => ({ role: 'user', content });
const calls: JsonObject = {
  role: 'assistant',
  content: null,
  tool_calls: [{ id: 'call00001', type: 'function', function: { name: 'f', arguments: '{}' } }],
};
const result: JsonObject = { role: 'tool', tool_call_id: 'call00001', content: 'r' };

describe('turns for a server that is strict about them', () => {
  it('have a word of the assistant between a result and the user', () => {
    expect(fitted([user('a'), calls, result, user('b')])).toEqual([
      user('a'),
      calls,
      result,
      { role: 'assistant', content: 'Understood.' },
      user('b'),
    ]);
  });

  it('have the mark of a beginning on a last turn of the assistant', () => {
    const begun = { role: 'assistant', content: 'Once upon' };
    expect(fitted([user('a'), begun])).toEqual([user('a'), { ...begun, prefix: true }]);
    const marked = [user('a'), { ...begun, prefix: true }];
    expect(fitted(marked)).toBe(marked);
  });

  it('end with the user where the system spoke last', () => {
    const system = { role: 'system', content: 'Be brief.' };
    expect(fitted([system])).toEqual([system, user('Begin.')]);
  });

  it('are without those of the assistant that say nothing', () => {
    expect(fitted([user('a'), { role: 'assistant', content: '' }, user('b')])).toEqual([
      user('a'),
      user('b'),
    ]);
  });

  it('stay the same list where nothing is to be changed', () => {
    const messages = [user('a'), calls, result];
    expect(fitted(messages)).toBe(messages);
  });
});
