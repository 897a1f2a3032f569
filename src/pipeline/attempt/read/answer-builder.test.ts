import { describe, expect, it } from 'vitest';
import type { Channel, StreamEvent } from '../../../core/answer.js';
import { AnswerBuilder } from './answer-builder.js';

const channel = (kind: Channel['kind'], part = 0, choice = 0): Channel => ({ kind, part, choice });
const delta = (to: Channel, text: string): StreamEvent => ({ type: 'delta', channel: to, text });

function built(...events: StreamEvent[]): AnswerBuilder {
  const builder = new AnswerBuilder();
  for (const event of events) builder.add(event);
  return builder;
}

describe('an answer put together from a stream', () => {
  it('has the texts of each channel as one part, in the order in which they began', () => {
    const answer = built(
      { type: 'start', id: 'a', model: 'large', created: 5 },
      delta(channel('reasoning'), 'hm'),
      { type: 'signature', channel: channel('reasoning'), signature: 'pro' },
      { type: 'signature', channel: channel('reasoning'), signature: 'of' },
      delta(channel('text'), 'On '),
      delta(channel('refusal'), 'no'),
      delta(channel('text'), 'its way.'),
      { type: 'part-end', channel: channel('text') },
      { type: 'finish', choice: 0, reason: 'stop', stopSequence: '!' },
      { type: 'usage', usage: { inputTokens: 5, outputTokens: 0 } },
      { type: 'usage', usage: { inputTokens: 5, outputTokens: 2 } },
      { type: 'end' },
    ).build();
    expect(answer).toEqual({
      id: 'a',
      model: 'large',
      created: 5,
      stopSequence: '!',
      usage: { inputTokens: 5, outputTokens: 2 },
      choices: [
        {
          index: 0,
          finishReason: 'stop',
          parts: [
            { type: 'reasoning', text: 'hm', signature: 'proof' },
            { type: 'text', text: 'On its way.' },
            { type: 'refusal', text: 'no' },
          ],
        },
      ],
    });
  });

  it('keeps only a limited number of parts, and says that it is cut', () => {
    const builder = new AnswerBuilder(1_000_000, 100);
    for (let part = 0; part < 1_000; part++) builder.add(delta(channel('tool-arguments', part), '{}'));
    expect(builder.cut).toBe(true);
    expect(builder.build().choices[0]!.parts.length).toBeLessThan(110);
    expect(builder.length).toBe(2_000);
  });

  it('has tool calls with the arguments as they were written', () => {
    const call = channel('tool-arguments', 1);
    const { choices } = built(
      { type: 'tool-call-start', channel: call, callId: 'call_1', name: 'find' },
      delta(call, '{"q":'),
      delta(call, '1'),
      { type: 'tool-call-start', channel: channel('tool-arguments', 2), callId: 'call_2', name: 'now' },
    ).build();
    expect(choices[0]!.parts).toEqual([
      { type: 'tool-call', id: 'call_1', name: 'find', arguments: '{"q":1' },
      { type: 'tool-call', id: 'call_2', name: 'now', arguments: '' },
    ]);
  });

  it('has its choices by their numbers, whichever came first', () => {
    const { choices } = built(delta(channel('text', 0, 1), 'b'), delta(channel('text', 0, 0), 'a'), {
      type: 'finish',
      choice: 2,
      reason: 'length',
    }).build();
    expect(choices).toEqual([
      { index: 0, finishReason: null, parts: [{ type: 'text', text: 'a' }] },
      { index: 1, finishReason: null, parts: [{ type: 'text', text: 'b' }] },
      { index: 2, finishReason: 'length', parts: [] },
    ]);
  });

  it('can be read before it is complete, and then continues', () => {
    const builder = built(delta(channel('text'), 'a'));
    expect([builder.build().choices[0]!.parts, builder.length, builder.complete]).toEqual([
      [{ type: 'text', text: 'a' }],
      1,
      false,
    ]);
    builder.add(delta(channel('text'), 'bc'));
    builder.add({ type: 'end' });
    expect([builder.build().choices[0]!.parts, builder.length, builder.complete]).toEqual([
      [{ type: 'text', text: 'abc' }],
      3,
      true,
    ]);
  });

  it('has the error that ended it', () => {
    const builder = built({ type: 'error', message: 'overloaded', value: {} });
    expect([builder.errorMessage, builder.complete, builder.build().choices]).toEqual([
      'overloaded',
      false,
      [],
    ]);
  });
});
