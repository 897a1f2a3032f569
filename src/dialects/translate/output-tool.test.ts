import { describe, expect, it } from 'vitest';
import { DIALECT_SAMPLES } from '../../../test/support/dialect-samples.js';
import type { Answer, StreamEvent } from '../../core/answer.js';
import type { ConversationId } from '../../core/dialect-ids.js';
import type { JsonObject } from '../../core/json.js';
import { atOnce } from '../../core/pacing/steps.js';
import type { RenderTarget } from '../dialect.js';
import { dialectById, dialects } from '../index.js';
import { answerFromOutputTool, createOutputToolReader, outputToolName } from './output-tool.js';

const OUTPUT_TOOL = 'give_answer';
const TARGET: RenderTarget = { model: 'large', outputSchema: { tool: OUTPUT_TOOL }, askForUsage: false };
const SCHEMA = { type: 'object', properties: { city: { type: 'string' } } };

function documentOf(value: JsonObject) {
  return { text: JSON.stringify(value), value };
}

/** The request for a provider of each dialect from a client of each, as its own dialect reads it. */
function rendered(client: string, provider: string, schema: JsonObject, more: JsonObject = {}) {
  const from = dialects.find(({ id }) => id === client)!;
  const to = dialects.find(({ id }) => id === provider)!;
  const document = documentOf({ ...DIALECT_SAMPLES[from.id as ConversationId].structured(schema), ...more });
  const view = atOnce(from.readRequest(document));
  const body =
    from === to
      ? to.adaptRequest(document, view, TARGET)
      : atOnce(to.fromNeutral(atOnce(from.toNeutral(document, view)), TARGET));
  const carried = documentOf(JSON.parse(body));
  return atOnce(to.toNeutral(carried, atOnce(to.readRequest(carried))));
}

const pairs = dialects.flatMap(({ id: client }) =>
  dialects.map(({ id: provider }) => [client, provider] as const),
);

describe('a schema as a tool', () => {
  it.each(pairs)('is the one tool that must be called, from %s to %s', (client, provider) => {
    const request = rendered(client, provider, SCHEMA);
    expect(request.outputSchema).toBeUndefined();
    expect(request.tools).toMatchObject([{ name: OUTPUT_TOOL, parameters: SCHEMA }]);
    expect(request.toolChoice).toEqual({ type: 'tool', name: OUTPUT_TOOL });
  });

  it.each(pairs)("is added to the client's tools, from %s to %s", (client, provider) => {
    const request = rendered(client, provider, SCHEMA, {
      tools: [DIALECT_SAMPLES[client as ConversationId].tool],
    });
    expect(request.tools?.map(({ name }) => name)).toEqual(['search', OUTPUT_TOOL]);
    expect(request.toolChoice).toEqual({ type: 'required' });
  });

  it.each(pairs)(
    'is written into the prompt where it is not an object, from %s to %s',
    (client, provider) => {
      const request = rendered(client, provider, { type: 'array' });
      expect(request.tools).toBeUndefined();
      expect(JSON.stringify(request.messages[0])).toContain('array');
    },
  );

  it('leaves out thinking for a model that is forced to call it', () => {
    const document = documentOf({
      ...DIALECT_SAMPLES['anthropic.messages'].structured(SCHEMA),
      thinking: { type: 'enabled', budget_tokens: 1024 },
    });
    const dialect = dialectById('anthropic.messages');
    const body = JSON.parse(dialect.adaptRequest(document, atOnce(dialect.readRequest(document)), TARGET));
    expect(body).not.toHaveProperty('thinking');
    expect(body.tool_choice).toEqual({ type: 'tool', name: OUTPUT_TOOL });
  });
});

describe('the name of the tool', () => {
  const ids = dialects.map(({ id }) => id as ConversationId);
  const named = (id: ConversationId, name: string) =>
    JSON.parse(JSON.stringify(DIALECT_SAMPLES[id].tool).replaceAll('search', name));

  it.each(ids)('is a different one where a tool of the client has it, in %s', (id) => {
    const tools = [named(id, 'give_answer'), named(id, 'give_answer_2')];
    expect(outputToolName(tools)).toBe('give_answer_3');
    expect(outputToolName([named(id, 'give_answers')])).toBe('give_answer');
    expect(outputToolName(undefined)).toBe('give_answer');
  });

  it("leaves calls of a client's tool with that name alone", () => {
    const own = answer([call('give_answer', '{"city":"Rome"}')]);
    expect(answerFromOutputTool(own, outputToolName([{ name: 'give_answer' }]))).toEqual(own);
  });
});

const call = (name: string, text: string) => ({ type: 'tool-call' as const, id: 'x', name, arguments: text });

function answer(parts: Answer['choices'][0]['parts']): Answer {
  return { id: 'x', model: 'm', choices: [{ index: 0, parts, finishReason: 'tool-calls' }] };
}

describe('the answer of the tool', () => {
  it('becomes the text of the answer', () => {
    const read = answerFromOutputTool(
      answer([{ type: 'text', text: 'Here:' }, call(OUTPUT_TOOL, '{"city":"Rome"}')]),
      OUTPUT_TOOL,
    );
    expect(read.choices).toEqual([
      { index: 0, parts: [{ type: 'text', text: '{"city":"Rome"}' }], finishReason: 'stop' },
    ]);
  });

  it('becomes text beside calls of other tools', () => {
    const read = answerFromOutputTool(answer([call('search', '{}'), call(OUTPUT_TOOL, '{}')]), OUTPUT_TOOL);
    expect(read.choices[0]!.finishReason).toBe('tool-calls');
    expect(read.choices[0]!.parts.map((part) => part.type)).toEqual(['tool-call', 'text']);
  });

  it('does not change an answer without a call of it', () => {
    const plain = answer([{ type: 'text', text: 'No.' }, call('search', '{}')]);
    expect(answerFromOutputTool(plain, OUTPUT_TOOL)).toEqual(plain);
  });
});

describe('a stream with the tool', () => {
  const text = (words: string): StreamEvent => ({
    type: 'delta',
    channel: { kind: 'text', choice: 0, part: 0 },
    text: words,
  });
  const channel = { kind: 'tool-arguments' as const, choice: 0, part: 1 };
  const start = (name: string): StreamEvent => ({ type: 'tool-call-start', channel, callId: 'x', name });
  const piece = (words: string): StreamEvent => ({ type: 'delta', channel, text: words });
  const finish: StreamEvent = { type: 'finish', choice: 0, reason: 'tool-calls' };
  const end: StreamEvent = { type: 'end' };

  function read(...events: StreamEvent[]): StreamEvent[] {
    const reader = createOutputToolReader(OUTPUT_TOOL);
    return events.flatMap(reader);
  }

  it('has the arguments of the call as its text', () => {
    const output = { ...channel, kind: 'text' };
    expect(read(text('Here:'), start(OUTPUT_TOOL), piece('{"a"'), piece(':1}'), finish, end)).toEqual([
      { type: 'delta', channel: output, text: '{"a"' },
      { type: 'delta', channel: output, text: ':1}' },
      { ...finish, reason: 'stop' },
      end,
    ]);
  });

  it('has its own text where no call follows', () => {
    expect(read(text('I '), text('cannot.'), finish, end)).toEqual([
      text('I '),
      text('cannot.'),
      finish,
      end,
    ]);
  });

  it('passes calls of other tools on', () => {
    expect(read(start('search'), piece('{}'), finish, end)).toEqual([
      start('search'),
      piece('{}'),
      finish,
      end,
    ]);
  });
});
