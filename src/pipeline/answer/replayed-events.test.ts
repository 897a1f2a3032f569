import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Answer } from '../../core/answer.js';
import type { FinishReason, Part } from '../../core/message.js';
import { AnswerBuilder } from '../attempt/read/answer-builder.js';
import { eventsOf } from './replayed-events.js';

const part: fc.Arbitrary<Part> = fc.oneof(
  fc.record({ type: fc.constant('text' as const), text: fc.string() }),
  fc.record({ type: fc.constant('refusal' as const), text: fc.string() }),
  fc.record({ type: fc.constant('reasoning' as const), text: fc.string(), signature: fc.string() }),
  fc.record({
    type: fc.constant('tool-call' as const),
    id: fc.string(),
    name: fc.string(),
    arguments: fc.string(),
  }),
);
const finishReason = fc.constantFrom<FinishReason>('stop', 'length', 'tool-calls', 'content-filter');
const anyAnswer: fc.Arbitrary<Answer> = fc
  .record({
    id: fc.string(),
    model: fc.string(),
    created: fc.nat(),
    choices: fc.array(fc.record({ parts: fc.array(part, { maxLength: 4 }), finishReason }), { maxLength: 3 }),
    usage: fc.record({ inputTokens: fc.nat(), outputTokens: fc.nat() }),
  })
  .map((answer) => ({ ...answer, choices: answer.choices.map((choice, index) => ({ ...choice, index })) }));

function builtFrom(events: ReturnType<typeof eventsOf>): AnswerBuilder {
  const builder = new AnswerBuilder();
  for (const event of events) builder.add(event);
  return builder;
}

describe('an answer as the events of a stream', () => {
  it('have the content of the answer', () => {
    fc.assert(
      fc.property(anyAnswer, (answer) => {
        const builder = builtFrom(eventsOf(answer));
        expect(builder.build()).toEqual(answer);
        expect(builder.complete).toBe(true);
      }),
    );
  });

  it('end with the error of an answer that was cut off, and without an end of their own', () => {
    fc.assert(
      fc.property(anyAnswer, (answer) => {
        const builder = builtFrom(eventsOf(answer, 'overloaded'));
        expect([builder.errorMessage, builder.complete]).toEqual(['overloaded', false]);
        expect(builder.build().choices.every((choice) => choice.finishReason === null)).toBe(true);
      }),
    );
  });
});
