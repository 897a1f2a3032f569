import { describe, expect, it } from 'vitest';
import type { DialectId } from '../../core/dialect-ids.js';
import { DIALECT_IDS } from '../../core/dialect-ids.js';
import type { JsonObject } from '../../core/json.js';
import type { Message } from '../../core/message.js';
import type { Steps } from '../../core/pacing/steps.js';
import { atOnce } from '../../core/pacing/steps.js';
import { textsOf, withPartTexts } from '../../core/texts/part-texts.js';
import { dialectById } from '../index.js';

/** With their changes more than is parsed in one step. */
const MANY = 2_000;
const MOST_IN_A_STEP = 500;

type Requests = (count: number) => Record<string, JsonObject>;

const text = (index: number) => `${index} ${'is a text '.repeat(14)}`;
const list = <Item>(count: number, make: (index: number) => Item) =>
  Array.from({ length: count }, (_, index) => make(index));
const parts = (count: number, type = 'text') => list(count, (index) => ({ type, text: text(index) }));
const messages = (count: number) => list(count, (index) => ({ role: 'user', content: text(index) }));
const inputs = (member: string): Requests => {
  return (count) => ({ texts: { [member]: list(count, text) }, other: { notes: list(count, text) } });
};

const REQUESTS: Record<DialectId, Requests> = {
  'openai.chat': (count) => ({
    messages: { messages: messages(count) },
    'named messages': { messages: messages(count).map((message) => ({ ...message, name: 'An na' })) },
    parts: { messages: [{ role: 'user', content: parts(count) }] },
    'unknown parts': { messages: [{ role: 'user', content: parts(count, 'poem') }] },
    'a schema': {
      messages: messages(1),
      response_format: { json_schema: { schema: { enum: list(count, text) } } },
    },
  }),
  'openai.responses': (count) => ({
    items: { input: messages(count) },
    parts: { input: [{ role: 'user', content: parts(count, 'input_text') }] },
    'a result': {
      input: [{ type: 'function_call_output', call_id: 'c', output: parts(count, 'input_text') }],
    },
    reasoning: { input: [{ type: 'reasoning', summary: parts(count, 'summary_text') }] },
  }),
  'anthropic.messages': (count) => ({
    messages: { messages: messages(count) },
    'a system prompt': { system: parts(count), messages: [] },
    results: {
      messages: [
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: parts(count) }] },
      ],
    },
  }),
  'gemini.generate': (count) => ({
    contents: { contents: list(count, (index) => ({ role: 'user', parts: [{ text: text(index) }] })) },
    parts: { contents: [{ role: 'user', parts: list(count, (index) => ({ text: text(index) })) }] },
  }),
  'openai.completions': inputs('prompt'),
  'openai.embeddings': inputs('input'),
  'openai.moderations': inputs('input'),
};

function counted<Result>(steps: Steps<Result>): { result: Result; count: number } {
  for (let count = 1; ; count++) {
    const { done, value } = steps.next();
    if (done) return { result: value as Result, count };
  }
}

function changedIn(read: Message[]): Message[] {
  return read.map((message) => withPartTexts(message, (old) => `${old}!`, ''));
}

const textsIn = (read: Message[]) => textsOf(read.flatMap(({ parts: all }) => all));
const documentOf = (value: JsonObject) => ({ text: JSON.stringify(value), value });

const CASES = DIALECT_IDS.flatMap((id) => Object.keys(REQUESTS[id](0)).map((where) => ({ id, where })));

describe.each(CASES)('the texts of $id ($where)', ({ id, where }) => {
  const dialect = dialectById(id);
  const request = (count: number) => documentOf(REQUESTS[id](count)[where]!);

  it('are read and written in steps where they are many, and are unchanged afterwards', () => {
    const document = request(MANY);
    const read = counted(dialect.readMessages(document));
    expect(read.count).toBeGreaterThanOrEqual(MANY / MOST_IN_A_STEP);
    expect(textsIn(read.result).length).toBeGreaterThanOrEqual(MANY);
    const changed = changedIn(read.result);
    const written = counted(dialect.writeMessages(document, changed));
    expect(written.count).toBeGreaterThanOrEqual((3 * MANY) / MOST_IN_A_STEP);
    expect(textsIn(atOnce(dialect.readMessages(written.result)))).toEqual(textsIn(changed));
  });

  it('are read and written in one step where they are few', () => {
    const document = request(5);
    const read = counted(dialect.readMessages(document));
    const written = counted(dialect.writeMessages(document, changedIn(read.result)));
    expect([read.count, written.count]).toEqual([1, 1]);
  });
});
