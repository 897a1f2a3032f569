import { describe, expect, it } from 'vitest';
import type { Answer } from '../core/answer.js';
import type { JsonDocument, JsonObject } from '../core/json.js';
import type { Steps } from '../core/pacing/steps.js';
import { atOnce } from '../core/pacing/steps.js';
import { FrameWriter } from '../pipeline/answer/stream/frame-writer.js';
import type { Dialect } from './dialect.js';
import { dialectById } from './index.js';
import { findTextsInSteps } from './members/find-texts.js';

const MANY = 5_000;
const ADDRESS = { model: 'm', stream: false };
const TARGET = { model: 'm', outputSchema: 'native', askForUsage: false } as const;
const CONTEXT = { logId: 'log', created: 1, model: 'm', streamUsage: false };
const documentOf = (value: JsonObject): JsonDocument => ({ text: JSON.stringify(value), value });
const many = <Made>(make: (at: number) => Made) => Array.from({ length: MANY }, (_, at) => make(at));
const turn = (at: number) => ({ role: at % 2 === 0 ? 'user' : 'assistant', content: 'Hi' });

const REQUESTS: [Dialect, JsonDocument][] = [
  [dialectById('openai.chat'), documentOf({ model: 'm', messages: many(turn) })],
  [dialectById('openai.responses'), documentOf({ model: 'm', input: many(turn) })],
  [dialectById('anthropic.messages'), documentOf({ model: 'm', max_tokens: 1, messages: many(turn) })],
  [
    dialectById('gemini.generate'),
    documentOf({
      contents: many((at) => ({ role: at % 2 === 0 ? 'user' : 'model', parts: [{ text: 'Hi' }] })),
    }),
  ],
];

/** Between two steps other work may have its turn. */
function stepsOf(work: Steps<unknown>): number {
  return [...work].length;
}

describe.each(REQUESTS)('$id', (dialect, document) => {
  const view = atOnce(dialect.readRequest(document, ADDRESS));
  const neutral = atOnce(dialect.toNeutral(document, view));

  it('takes many steps to check, read and translate a request of many turns', () => {
    expect(stepsOf(dialect.readRequest(document, ADDRESS))).toBeGreaterThan(5);
    expect(stepsOf(dialect.readMessages(document))).toBeGreaterThan(5);
    expect(stepsOf(dialect.toNeutral(document, view))).toBeGreaterThan(50);
    expect(stepsOf(dialect.fromNeutral(neutral, TARGET))).toBeGreaterThan(50);
  });

  it('takes one step for a short request', () => {
    const [turns] = dialect.conversation.turns;
    const short = documentOf({
      ...document.value,
      [turns!]: (document.value[turns!] as JsonObject[]).slice(0, 1),
    });
    expect(stepsOf(dialect.readRequest(short, ADDRESS))).toBe(0);
    expect(stepsOf(dialect.toNeutral(short, view))).toBe(0);
    expect(stepsOf(dialect.fromNeutral({ ...neutral, messages: neutral.messages.slice(0, 1) }, TARGET))).toBe(
      0,
    );
  });

  it('takes many steps for an answer of many parts', () => {
    const parts = many((at) => ({ type: 'tool-call' as const, id: `c${at}`, name: 'f', arguments: '{}' }));
    const answer: Answer = { id: 'a', model: 'm', choices: [{ index: 0, parts, finishReason: 'stop' }] };
    expect(stepsOf(dialect.writeAnswer(answer, CONTEXT))).toBeGreaterThan(50);
    const written = documentOf(JSON.parse(atOnce(dialect.writeAnswer(answer, CONTEXT))) as JsonObject);
    const read = atOnce(dialect.readAnswer(written.value))!;
    const changed = {
      ...read,
      choices: read.choices.map((choice) => ({
        ...choice,
        parts: choice.parts.map((part) =>
          part.type === 'tool-call' ? { ...part, arguments: '{"a":1}' } : part,
        ),
      })),
    };
    expect(stepsOf(dialect.adaptAnswer(written, { logId: 'log' }, changed))).toBeGreaterThan(50);
  });
});

describe('a frame of a stream', () => {
  it('may contain more calls than a function can have arguments', () => {
    const tool_calls = Array.from({ length: 150_000 }, (_, at) => ({
      id: `c${at}`,
      function: { name: 'f', arguments: '{}' },
    }));
    const data = JSON.stringify({ id: 'a', choices: [{ index: 0, delta: { tool_calls } }] });
    const events = dialectById('openai.chat').createDecoder().decode({ data });
    expect(events.filter(({ type }) => type === 'tool-call-start')).toHaveLength(150_000);
  });
});

describe('a value of very many members', () => {
  const members = Object.fromEntries(many((at) => [`k${at}`, `Ann ${at}`]));

  it('is searched in many steps, and all its texts are found', () => {
    for (const value of [members, Object.values(members)]) {
      const work = findTextsInSteps(value, [], undefined);
      let steps = 0;
      let step = work.next();
      for (; !step.done; step = work.next()) steps++;
      expect(step.value.map(({ text }) => text)).toEqual(Object.values(members));
      expect(steps).toBeGreaterThan(MANY / 500);
    }
  });

  it('is not read together with the rest', () => {
    const request = { model: 'm', messages: [{ role: 'user', content: 'Hi', ...members }], ...members };
    expect(stepsOf(dialectById('openai.chat').readMessages(documentOf(request)))).toBeGreaterThan(MANY / 500);
  });
});

it('reads and writes a frame of very many calls in many steps', () => {
  const [chat, messages] = [dialectById('openai.chat'), dialectById('anthropic.messages')];
  const tool_calls = many((index) => {
    return { index, id: `c${index}`, type: 'function', function: { name: 'f', arguments: '{}' } };
  });
  const frame = { data: JSON.stringify({ id: 'x', choices: [{ index: 0, delta: { tool_calls } }] }) };
  const decoding = chat.createDecoder().decodeInSteps!(frame);
  expect(stepsOf(decoding)).toBeGreaterThan(MANY / 500);
  const events = chat.createDecoder().decode(frame);
  const writer = () => new FrameWriter(messages, chat, { ...CONTEXT, streamUsage: false });
  const work = writer().writeInSteps(frame, events);
  let steps = 0;
  let step = work.next();
  for (; !step.done; step = work.next()) steps++;
  expect(step.value).toBe(writer().write(frame, events));
  expect(steps).toBeGreaterThan(MANY / 500);
});
