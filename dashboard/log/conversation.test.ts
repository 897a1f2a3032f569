import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { DIALECT_IDS } from '../../src/core/dialect-ids.ts';
import { dialects } from '../../src/dialects/index.ts';
import { answerText, answerTurns, askedTurns, lastQuestion } from './conversation.ts';

const text = (role: string, words: string) => ({ role, parts: [{ kind: 'text', text: words }] });

describe('what was asked', () => {
  it.each([
    [
      'openai.chat',
      {
        messages: [
          { role: 'system', content: 'S' },
          { role: 'user', content: [{ type: 'text', text: 'U' }] },
        ],
      },
    ],
    ['openai.responses', { instructions: 'S', input: 'U' }],
    [
      'openai.responses',
      { instructions: 'S', input: [{ role: 'user', content: [{ type: 'input_text', text: 'U' }] }] },
    ],
    ['anthropic.messages', { system: 'S', messages: [{ role: 'user', content: 'U' }] }],
    [
      'gemini.generate',
      { systemInstruction: { parts: [{ text: 'S' }] }, contents: [{ role: 'user', parts: [{ text: 'U' }] }] },
    ],
  ])('is the same whatever the API: %s', (api, request) => {
    const bodies = { api, request, response: null };
    expect(askedTurns(bodies)).toEqual([text('system', 'S'), text('user', 'U')]);
    expect(lastQuestion(bodies)).toBe('U');
  });

  it.each([
    ['openai.completions', { prompt: 'U' }, ['U']],
    ['openai.embeddings', { input: ['U', 'V'] }, ['U', 'V']],
    ['openai.embeddings', { input: [1, 2] }, ['[\n  1,\n  2\n]']],
    ['openai.moderations', { input: [{ type: 'text', text: 'U' }] }, ['U']],
  ])('can be plain texts: %s %j', (api, request, texts) => {
    const asked = askedTurns({ api, request, response: null });
    expect(asked).toEqual(texts.map((words) => text('user', words)));
  });

  it('has tool calls with their results', () => {
    const messages = [
      { role: 'assistant', content: null, tool_calls: [{ function: { name: 'f', arguments: '{"a":1}' } }] },
      { role: 'tool', content: 'done' },
    ];
    expect(askedTurns({ api: 'openai.chat', request: { messages }, response: null })).toEqual([
      { role: 'assistant', parts: [{ kind: 'tool-call', name: 'f', text: '{\n  "a": 1\n}' }] },
      { role: 'tool', parts: [{ kind: 'tool-result', text: 'done' }] },
    ]);
  });

  it.each([null, 7, [], { messages: 'x' }, { messages: [null, 3, { content: { a: 1 } }] }])(
    'can be shown for anything: %j',
    (request) => {
      for (const api of DIALECT_IDS) {
        expect(askedTurns({ api, request, response: request })).toBeInstanceOf(Array);
        expect(answerTurns({ api, request, response: request })).toBeInstanceOf(Array);
      }
    },
  );
});

describe('a conversation with Gemini', () => {
  it('has calls, results, thoughts and pictures, in either spelling', () => {
    const contents = [
      {
        role: 'model',
        parts: [{ text: 'T', thought: true }, { functionCall: { name: 'f', args: { a: 1 } } }],
      },
      { role: 'user', parts: [{ function_response: { name: 'f', response: { b: 2 } } }] },
      { role: 'user', parts: [{ inline_data: { mime_type: 'image/png', data: 'AAAA' } }] },
    ];
    expect(askedTurns({ api: 'gemini.generate', request: { contents }, response: null })).toEqual([
      {
        role: 'assistant',
        parts: [
          { kind: 'reasoning', text: 'T' },
          { kind: 'tool-call', name: 'f', text: '{\n  "a": 1\n}' },
        ],
      },
      { role: 'user', parts: [{ kind: 'tool-result', text: '{\n  "b": 2\n}' }] },
      { role: 'user', parts: [{ kind: 'image', url: 'data:image/png;base64,AAAA' }] },
    ]);
  });
});

describe('what was answered', () => {
  it.each([
    ['openai.chat', { choices: [{ message: { role: 'assistant', content: 'A' } }] }],
    [
      'openai.responses',
      { output: [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'A' }] }] },
    ],
    ['anthropic.messages', { content: [{ type: 'text', text: 'A' }] }],
    ['gemini.generate', { candidates: [{ content: { role: 'model', parts: [{ text: 'A' }] } }] }],
    ['openai.completions', { choices: [{ text: 'A', index: 0 }] }],
  ])('is the same whatever the API: %s', (api, response) => {
    expect(answerTurns({ api, request: null, response })).toEqual([text('assistant', 'A')]);
    expect(answerText({ api, request: null, response })).toBe('A');
  });

  it('is empty where the answer is an error', () => {
    expect(
      answerTurns({ api: 'openai.chat', request: null, response: { error: { message: 'no' } } }),
    ).toEqual([]);
  });
});

describe.each(dialects.map(({ id }) => id))('an API that the gateway speaks, %s,', (api) => {
  const fixture = (name: string) =>
    JSON.parse(
      readFileSync(new URL(`../../test/fixtures/${api.replace('.', '-')}/${name}`, import.meta.url), 'utf8'),
    );
  const kindsOf = (turns: ReturnType<typeof askedTurns>) =>
    turns.flatMap(({ parts }) => parts.map(({ kind }) => kind));

  it('is shown with its answers, reasoning and calls of tools', () => {
    for (const [name, kind] of [
      ['text', 'text'],
      ['reasoning', 'reasoning'],
      ['tool-call', 'tool-call'],
    ] as const) {
      const turns = answerTurns({ api, request: null, response: fixture(`${name}.response.json`) });
      expect(kindsOf(turns)).toContain(kind);
    }
  });

  it('is shown with its questions, pictures and results of tools', () => {
    for (const [name, kind] of [
      ['text', 'text'],
      ['image', 'image'],
      ['tool-result', 'tool-result'],
    ] as const) {
      const turns = askedTurns({ api, request: fixture(`${name}.request.json`), response: null });
      expect(kindsOf(turns)).toContain(kind);
      expect(turns.map(({ role }) => role)).toContain('user');
    }
  });
});
