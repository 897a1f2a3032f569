import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../core/json.js';
import { atOnce } from '../../core/pacing/steps.js';
import type { Dialect } from '../dialect.js';
import { dialectById } from '../index.js';

const REQUESTS: [Dialect, JsonObject][] = [
  [dialectById('openai.chat'), { model: 'm', messages: [{ role: 'user', content: 'a' }] }],
  [dialectById('openai.responses'), { model: 'm', input: [{ role: 'user', content: 'a' }] }],
  [
    dialectById('anthropic.messages'),
    { model: 'm', max_tokens: 1, messages: [{ role: 'user', content: 'a' }] },
  ],
];

function read(dialect: Dialect, value: JsonObject) {
  return atOnce(dialect.readRequest({ text: JSON.stringify(value), value }));
}

describe.each(REQUESTS)('$id', (dialect, request) => {
  const list = 'input' in request ? 'input' : 'messages';

  it.each(['MODEL', 'Model', list.toUpperCase(), 'tool\u017f', 'Metadata', 'Stream'])(
    'refuses %s, which some servers read as a member that they know',
    (name) => {
      expect(() => read(dialect, { ...request, [name]: 'x' })).toThrow(
        expect.objectContaining({ code: 'invalid_request', status: 400 }),
      );
    },
  );

  it('refuses such names in messages, parts and tools, and says where', () => {
    const other = { ...request, [list]: [{ role: 'user', content: 'a', Content: 'b' }] };
    expect(() => read(dialect, other)).toThrow(expect.objectContaining({ param: `${list}[0].content` }));
    const type = list === 'input' ? 'input_text' : 'text';
    const part = { ...request, [list]: [{ role: 'user', content: [{ type, text: 'a', TEXT: 'b' }] }] };
    expect(() => read(dialect, part)).toThrow(
      expect.objectContaining({ param: `${list}[0].content[0].text` }),
    );
    const tool = { type: 'function', name: 'f', function: { name: 'f' }, Type: 'x' };
    expect(() => read(dialect, { ...request, tools: [tool] })).toThrow(
      expect.objectContaining({ param: 'tools[0].type' }),
    );
  });

  it('accepts any name where the client chooses the names', () => {
    const own = { type: 'object', properties: { Model: { type: 'string' }, TYPE: {} }, Type: 'x' };
    const tool = { type: 'function', name: 'f', parameters: own, input_schema: own };
    const value = {
      ...request,
      metadata: { Model: 'x', User_ID: 'y' },
      tools: [{ ...tool, function: { name: 'f', parameters: own } }],
      Unknown: { Model: 'x' },
    };
    expect(read(dialect, value).model).toBe('m');
  });
});
