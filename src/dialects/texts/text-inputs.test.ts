import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../core/json.js';
import type { Message } from '../../core/message.js';
import { atOnce } from '../../core/pacing/steps.js';
import type { Dialect } from '../dialect.js';
import { dialectById } from '../index.js';

const embeddings = dialectById('openai.embeddings');
const completions = dialectById('openai.completions');
const moderations = dialectById('openai.moderations');

const documentOf = (value: JsonObject) => ({ text: JSON.stringify(value), value });
const read = (dialect: Dialect, value: JsonObject) => atOnce(dialect.readMessages(documentOf(value)));
const texts = (messages: Message[]) =>
  messages.map(({ role, parts }) => [
    role,
    ...parts.flatMap((part) =>
      part.type === 'text'
        ? [part.text]
        : part.type === 'tool-result'
          ? part.parts.map((inner) => (inner.type === 'text' ? inner.text : ''))
          : [],
    ),
  ]);

describe('the texts of a request', () => {
  it.each<[string, Dialect, JsonObject, string[][]]>([
    ['one', embeddings, { input: 'a' }, [['user', 'a']]],
    [
      'several, each for itself',
      embeddings,
      { input: ['a', 'b'] },
      [
        ['user', 'a'],
        ['user', 'b'],
      ],
    ],
    [
      'a prompt',
      completions,
      { prompt: ['a', 'b'] },
      [
        ['user', 'a'],
        ['user', 'b'],
      ],
    ],
    ['no prompt', completions, {}, []],
    [
      'what stands beside',
      completions,
      { prompt: 'a', suffix: 's', stop: ['x'] },
      [
        ['system', 's', 'x'],
        ['user', 'a'],
      ],
    ],
    [
      'members that nobody knows',
      embeddings,
      { input: 'a', task: 'find Ann' },
      [
        ['system', 'find Ann'],
        ['user', 'a'],
      ],
    ],
    [
      'parts',
      moderations,
      {
        input: [
          { type: 'text', text: 'a' },
          { type: 'image_url', image_url: { url: 'https://a.b/c' } },
        ],
      },
      [['user', 'a']],
    ],
    [
      'what hides in a part',
      moderations,
      { input: [{ type: 'image_url', image_url: { url: 'Ann Lee' } }] },
      [['user', 'Ann Lee']],
    ],
    ['tokens, which are none', embeddings, { input: [[1, 2], [3]] }, []],
  ])('are checked: %s', (_case, dialect, request, expected) => {
    expect(texts(read(dialect, { model: 'm', ...request }))).toEqual(expected);
  });

  it('are masked at their places', () => {
    const request = { model: 'm', input: ['Ann', { text: 'Bob' }, 'c'], user: 'u' };
    const document = documentOf(request);
    const masked = atOnce(embeddings.readMessages(document)).map((message) => ({
      ...message,
      parts: message.parts.map((part) =>
        part.type === 'text' && part.text !== 'c' ? { ...part, text: '<PERSON>' } : part,
      ),
    }));
    expect(atOnce(embeddings.writeMessages(document, masked)).text).toBe(
      '{"model":"m","input":["<PERSON>",{"text":"<PERSON>"},"c"],"user":"u"}',
    );
  });
});

describe('a request', () => {
  const refusal = (dialect: Dialect, value: JsonObject) => {
    try {
      atOnce(dialect.readRequest(documentOf(value)));
    } catch (error) {
      return (error as Error).message;
    }
    return 'taken';
  };

  it.each<[Dialect, JsonObject, RegExp]>([
    [embeddings, { model: 'm' }, /'input' is required/],
    [
      embeddings,
      { model: 'm', input: '' },
      /'input' must be a string or an array of strings or token numbers, and not empty, but is the string ""/,
    ],
    [
      embeddings,
      { model: 'm', input: [] },
      /'input' must be a string or an array of strings or token numbers, and not empty, but is an empty array/,
    ],
    [embeddings, { model: 'm', input: [true] }, /'input\[0\]' must be a string, or token numbers/],
    [embeddings, { model: 'm', input: [[1, 'a']] }, /'input\[0\]\[1\]' must be the number of a token/],
    [embeddings, { model: 'm', input: 'a', dimensions: 0 }, /'dimensions' must be an integer of at least 1/],
    [embeddings, { model: 'm', Input: 'a' }, /Did you mean 'input'/],
    [completions, { prompt: 'a' }, /'model' is required/],
    [
      completions,
      { model: 'm', prompt: [{ text: 'a' }] },
      /'prompt\[0\]' must be a string, or token numbers/,
    ],
    [completions, { model: 'm', prompt: 'a', n: 0 }, /'n' must be an integer of at least 1/],
    [moderations, { model: 'm', input: [{ text: 'a' }] }, /'input\[0\]\.type' is required/],
    [completions, { model: 'm', prompt: '' }, /^taken$/],
    [completions, { model: 'm', prompt: [1, 2] }, /^taken$/],
    [embeddings, { model: 'm', input: [[1], [2]] }, /^taken$/],
  ])('with the input %# is accepted, or refused with what is wrong and where', (dialect, value, message) => {
    expect(refusal(dialect, value)).toMatch(message);
  });

  it('says where token numbers are', () => {
    const at = (input: JsonObject['x']) =>
      atOnce(embeddings.readRequest(documentOf({ model: 'm', input: input! }))).tokensAt;
    expect([at('a'), at(['a']), at([1, 2]), at(['a', [1]])]).toEqual([
      undefined,
      undefined,
      'input',
      'input[1]',
    ]);
  });
});
