import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../core/json.js';
import { atOnce } from '../../core/pacing/steps.js';
import { recordTexts } from '../stored-texts.js';
import { placedChoices, readAnswer } from './parse.js';
import { plainAnswer, plainLog } from './plain.js';

/** A member as it mostly is (undefined: not there), or one of its other forms. */
const mostly = (usual: unknown, ...others: unknown[]) =>
  fc.oneof(
    { weight: 8, arbitrary: fc.constant(usual) },
    { weight: 1, arbitrary: fc.constantFrom(...others) },
  ) as fc.Arbitrary<never>;

const message = fc.record({
  role: mostly('assistant', 'a role 123456789', undefined),
  content: mostly('Hello', '', null, [{ type: 'text', text: 'Hello' }], undefined),
  refusal: mostly(null, '', 'No.'),
  reasoning: mostly(undefined, '', 'Well.'),
  reasoning_details: mostly(undefined, [], [{ type: 'reasoning.text', text: 'Well.', signature: 's' }]),
  function_call: mostly(undefined, null, {}, { name: 'f', arguments: '{}' }),
  tool_calls: mostly(
    undefined,
    [],
    [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }],
  ),
  annotations: mostly([], [{ type: 'url_citation', url_citation: { url: 'https://a.b', title: 'A' } }]),
  'a note': mostly(undefined, '', 'Aha.'),
});
const choice = fc.oneof(
  { weight: 6, arbitrary: fc.record({ message, finish_reason: mostly('stop', 'a b'), index: mostly(0, 1) }) },
  { weight: 1, arbitrary: fc.record({ message, text: mostly('', 'Legacy') }) },
  { weight: 1, arbitrary: mostly({ text: 'Legacy' }, {}, 'no choice', null) },
);
const answer = fc.record({
  id: mostly('a', 'an id'),
  choices: fc.array(choice, { maxLength: 3 }),
  note: mostly(undefined, '', 'Aha.'),
});

describe('an answer of plain strings', () => {
  it('has the same parts as with the general reader', () => {
    let plain = 0;
    fc.assert(
      fc.property(answer, (made) => {
        const body = JSON.parse(JSON.stringify(made)) as { choices: JsonValue[] };
        const parts = atOnce(placedChoices(body)).map((placed) => placed.choice.parts);
        expect(atOnce(readAnswer(body))?.choices.map((one) => one.parts) ?? []).toEqual(parts);
        if (body.choices.length > 0 && plainAnswer(body) !== undefined) plain++;
      }),
      { numRuns: 2_000 },
    );
    expect(plain).toBeGreaterThan(100);
  });
});

describe('a log of plain strings', () => {
  it('has the same texts as with the general search, at the same places', () => {
    const content = fc.constantFrom('', 'Hello', 'How are you?');
    const role = fc.constantFrom('system', 'developer', 'user', 'assistant', 'tool');
    const messages = fc.array(fc.record({ role, content }), { maxLength: 4 });
    let plain = 0;
    fc.assert(
      fc.property(messages, answer, (said, made) => {
        const response = JSON.parse(JSON.stringify(made)) as JsonValue;
        const log = (turns: JsonObject[]) => ({
          api: 'openai.chat' as const,
          request: { model: 'm', messages: turns },
          response,
        });
        // An empty name is no text, but more than a plain message has.
        const walked = recordTexts(log(said.map((message) => ({ ...message, name: '' }))));
        const texts = ({ place, text }: { place: string; text: string }) => ({ place, text });
        expect(recordTexts(log(said)).map(texts)).toEqual(walked.map(texts));
        if (said.length > 0 && plainLog({ messages: said }, response) !== undefined) plain++;
      }),
      { numRuns: 2_000 },
    );
    expect(plain).toBeGreaterThan(100);
  });
});
