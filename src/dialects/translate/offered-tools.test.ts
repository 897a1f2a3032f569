import { describe, expect, it } from 'vitest';
import type { DialectId } from '../../core/dialect-ids.js';
import type { JsonObject } from '../../core/json.js';
import { dialectById } from '../index.js';

const schema = { type: 'object' };
const chatTool = (name: string, more = {}) => ({
  type: 'function',
  function: { name, parameters: schema, ...more },
});
const flatTool = (name: string, more = {}) => ({ type: 'function', name, parameters: schema, ...more });
const claudeTool = (name: string, more = {}) => ({ name, input_schema: schema, ...more });

function read(dialect: DialectId, value: JsonObject) {
  return dialectById(dialect).readTools({ text: JSON.stringify(value), value });
}

describe('the tools of a request', () => {
  it.each<[DialectId, JsonObject]>([
    ['openai.chat', { tools: [chatTool('a', { strict: true }), { type: 'custom', custom: { name: 'x' } }] }],
    ['openai.responses', { tools: [flatTool('a', { strict: true }), { type: 'web_search' }] }],
    [
      'anthropic.messages',
      { tools: [claudeTool('a', { strict: true }), { type: 'web_search_20250305', name: 'x' }] },
    ],
    [
      'gemini.generate',
      {
        tools: [
          { functionDeclarations: [{ name: 'a', parametersJsonSchema: schema }] },
          { googleSearch: {} },
        ],
        toolConfig: { functionCallingConfig: { mode: 'VALIDATED' } },
      },
    ],
  ])('are those that the client runs itself: %s', (dialect, request) => {
    expect(read(dialect, request)).toEqual({
      tools: [{ name: 'a', parameters: schema, strict: true }],
      forced: [],
      mustCallOne: false,
    });
  });

  it.each<[string, DialectId, JsonObject]>([
    ['none', 'openai.chat', {}],
    ['a list that is none', 'openai.chat', { tools: 'x', functions: 1, tool_choice: 7 }],
    ['a tool that is none', 'openai.responses', { tools: [null, 1], tool_choice: { type: 'allowed_tools' } }],
    ['a choice that is none', 'anthropic.messages', { tools: null, tool_choice: [] }],
  ])('may be empty: %s', (_case, dialect, request) => {
    expect(read(dialect, request)).toEqual({ tools: [], forced: [], mustCallOne: false });
  });
});

describe('tools that a model must call', () => {
  const two = [chatTool('a'), chatTool('b')];
  const flat = [flatTool('a'), flatTool('b')];
  const claude = [claudeTool('a'), claudeTool('b')];
  const server = { type: 'web_search' };
  const named = { type: 'function', function: { name: 'b' } };
  const declared = [{ name: 'a' }, { name: 'b' }];
  const calling = (functionCallingConfig: JsonObject): JsonObject => ({
    tools: [{ functionDeclarations: declared }],
    toolConfig: { functionCallingConfig },
  });
  const allowed = (mode: string) => ({ type: 'allowed_tools', allowed_tools: { mode, tools: [named] } });

  it.each<[string, DialectId, JsonObject, string[], boolean]>([
    ['one by its name', 'openai.chat', { tools: two, tool_choice: named }, ['b'], true],
    ['any', 'openai.chat', { tools: two, tool_choice: 'required' }, ['a', 'b'], true],
    ['one of a list', 'openai.chat', { tools: two, tool_choice: allowed('required') }, ['b'], true],
    ['none of a list', 'openai.chat', { tools: two, tool_choice: allowed('auto') }, [], false],
    ['none', 'openai.chat', { tools: two, tool_choice: 'auto' }, [], false],
    [
      'a deprecated function',
      'openai.chat',
      { functions: [{ name: 'f' }], function_call: { name: 'f' } },
      ['f'],
      true,
    ],
    [
      'one by its name',
      'openai.responses',
      { tools: flat, tool_choice: { type: 'function', name: 'b' } },
      ['b'],
      true,
    ],
    ['any', 'openai.responses', { tools: flat, tool_choice: 'required' }, ['a', 'b'], true],
    [
      'any, or one of the provider',
      'openai.responses',
      { tools: [...flat, server], tool_choice: 'required' },
      ['a', 'b'],
      false,
    ],
    [
      'one of a list',
      'openai.responses',
      { tools: flat, tool_choice: { type: 'allowed_tools', mode: 'required', tools: [flatTool('a')] } },
      ['a'],
      true,
    ],
    ['one of the provider', 'openai.responses', { tools: [...flat, server], tool_choice: server }, [], false],
    [
      'one by its name',
      'anthropic.messages',
      { tools: claude, tool_choice: { type: 'tool', name: 'b' } },
      ['b'],
      true,
    ],
    ['any of a list', 'gemini.generate', calling({ mode: 'ANY', allowedFunctionNames: ['b'] }), ['b'], true],
    ['any', 'gemini.generate', calling({ mode: 'ANY' }), ['a', 'b'], true],
    ['none', 'gemini.generate', calling({ mode: 'AUTO' }), [], false],
    ['any', 'anthropic.messages', { tools: claude, tool_choice: { type: 'any' } }, ['a', 'b'], true],
  ])('are %s: %s', (_case, dialect, request, forced, mustCallOne) => {
    expect(read(dialect, request)).toMatchObject({ forced, mustCallOne });
  });
});
