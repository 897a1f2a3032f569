import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Answer } from '../../src/core/answer.js';
import type { JsonObject } from '../../src/core/json.js';
import type { FinishReason, Part } from '../../src/core/message.js';
import { atOnce } from '../../src/core/pacing/steps.js';
import type { Dialect } from '../../src/dialects/dialect.js';
import { dialects } from '../../src/dialects/index.js';
import { steadyCalls } from '../../src/dialects/translate/steady-calls.js';
import { eventsOf } from '../../src/pipeline/answer/replayed-events.js';
import { HABITS, oddAnswer } from '../support/odd-streams.js';
import {
  answerOf,
  CONTEXT,
  decodeAll,
  encodeAll,
  folderOf,
  framesOf,
  substance,
} from './dialects-support.js';

/*
 * A client that streams is told the same as one that waits for the whole answer, whichever API its provider speaks and
 * whatever habits the provider's server has.
 */

const word = fc.stringMatching(/^[a-z][a-z_]{0,7}$/);
const text = fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme' }).filter((one) => one.trim() !== '');
const call = fc.record({
  name: word,
  value: fc.oneof(fc.nat(99), text, fc.array(fc.nat(9), { maxLength: 3 })),
});

const answers: fc.Arbitrary<Answer> = fc
  .record({
    thought: fc.option(text),
    said: fc.option(text),
    calls: fc.array(call, { maxLength: 3 }),
    reason: fc.constantFrom<FinishReason>('stop', 'length', 'content-filter'),
    usage: fc.record({ cached: fc.nat(50), more: fc.nat(500), thought: fc.nat(50), output: fc.nat(500) }),
  })
  .map(({ thought, said, calls, reason, usage }) => {
    const parts: Part[] = [
      ...(thought === null ? [] : [{ type: 'reasoning' as const, text: thought }]),
      // An answer that says nothing at all is an error.
      ...(said === null && calls.length > 0 ? [] : [{ type: 'text' as const, text: said ?? 'Hi' }]),
      ...calls.map(({ name, value }, index): Part => {
        return { type: 'tool-call', id: `call_${index}a`, name, arguments: JSON.stringify({ value }) };
      }),
    ];
    return {
      id: 'answer1',
      model: 'large',
      created: 1_741_570_283,
      choices: [{ index: 0, parts, finishReason: calls.length > 0 ? 'tool-calls' : reason }],
      usage: {
        inputTokens: usage.cached + usage.more,
        cachedInputTokens: usage.cached,
        outputTokens: usage.thought + usage.output,
        reasoningTokens: usage.thought,
      },
    };
  });

function habitsOf(provider: Dialect): fc.Arbitrary<Record<string, string>> {
  const table = HABITS[folderOf(provider)]!;
  return fc.record(
    Object.fromEntries(Object.entries(table).map(([name, all]) => [name, fc.constantFrom(...all)])),
  );
}

/** What a client reads of an answer. */
function told(answer: Answer | undefined) {
  const [choice] = answer!.choices;
  return {
    id: answer!.id,
    model: answer!.model,
    said: substance(answer),
    reason: choice!.finishReason,
    usage: answer!.usage,
  };
}

const pairs = dialects.flatMap((client) =>
  dialects
    .filter((provider) => provider !== client)
    .map((provider) => [client.id, provider.id, client, provider] as const),
);

describe.each(pairs)('a client of %s, before a provider of %s', (_client, _provider, client, provider) => {
  it('gets the same content from a stream as from the whole answer', () => {
    fc.assert(
      fc.property(answers, habitsOf(provider), fc.integer({ min: 1, max: 9 }), (answer, habits, size) => {
        const body = JSON.parse(atOnce(provider.writeAnswer(answer, CONTEXT))) as JsonObject;
        const frames = encodeAll(provider, eventsOf(answer), CONTEXT)
          .filter(({ data }) => data !== '[DONE]')
          .map(({ data }) => JSON.parse(data) as JsonObject);
        const odd = oddAnswer(folderOf(provider), body, frames, habits, size);
        const whole = atOnce(provider.readAnswer(odd.body))!;
        const plain = atOnce(client.readAnswer(JSON.parse(atOnce(client.writeAnswer(whole, CONTEXT)))));
        const encoder = steadyCalls(client.createEncoder(CONTEXT));
        const events = decodeAll(provider, framesOf(Buffer.from(odd.stream)));
        const written = [...events.flatMap((event) => encoder.encode(event)), ...encoder.finish()];
        expect(told(answerOf(decodeAll(client, written)))).toEqual(told(plain));
      }),
    );
  });
});
