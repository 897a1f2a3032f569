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
  it('have a message of the assistant between a result and the user', () => {
    expect(fitted([user('a'), calls, result, user('b')])).toEqual([
      user('a'),
      calls,
      result,
      { role: 'assistant', content: 'Understood.' },
      user('b'),
    ]);
  });

  it('mark a last message of the assistant as the beginning of the answer', () => {
    const begun = { role: 'assistant', content: 'Once upon' };
    expect(fitted([user('a'), begun])).toEqual([user('a'), { ...begun, prefix: true }]);
    const marked = [user('a'), { ...begun, prefix: true }];
    expect(fitted(marked)).toBe(marked);
  });

  it("end with a user's message where a system message was last", () => {
    const system = { role: 'system', content: 'Be brief.' };
    expect(fitted([system])).toEqual([system, user('Begin.')]);
  });

  it('leave out empty messages of the assistant', () => {
    expect(fitted([user('a'), { role: 'assistant', content: '' }, user('b')])).toEqual([
      user('a'),
      user('b'),
    ]);
  });

  it('are the same list where nothing has to be changed', () => {
    const messages = [user('a'), calls, result];
    expect(fitted(messages)).toBe(messages);
  });
});
