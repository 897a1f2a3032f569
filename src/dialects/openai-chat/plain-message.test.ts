import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../core/json.js';
import { atOnce } from '../../core/pacing/steps.js';
import { stepsOf } from '../wire/splice.js';
import { guardedMessages } from './messages.js';
import { plainMessage } from './plain-message.js';

/** A member as it mostly is (undefined: not there), or one of its other forms. */
const mostly = (usual: unknown, ...others: unknown[]) =>
  fc.oneof(
    { weight: 8, arbitrary: fc.constant(usual) },
    { weight: 1, arbitrary: fc.constantFrom(...others) },
  ) as fc.Arbitrary<never>;

const call = fc.record({
  id: mostly('call-1', '', 'an id', undefined, 7),
  type: mostly('function', 'a type', undefined),
  function: fc.oneof(
    {
      weight: 8,
      arbitrary: fc.record({
        name: mostly('find', '', 'a name', undefined, null),
        arguments: mostly('{"who":"Ann"}', '', { who: 'Ann' }, undefined),
        description: mostly(undefined, '', 'Finds people.'),
      }),
    },
    { weight: 1, arbitrary: mostly(undefined, null, 'find') },
  ),
  custom: mostly(undefined, { name: 'run', input: 'Ann' }),
  'a note': mostly(undefined, '', 'Aha.'),
});
const message = fc.record({
  role: fc.constantFrom(
    'system',
    'developer',
    'user',
    'assistant',
    'assistant',
    'tool',
    'function',
    'a role',
  ),
  content: mostly('Hello', '', null, [{ type: 'text', text: 'Hello' }], undefined, 7),
  tool_call_id: mostly(undefined, 'call-1', '', 'an id', 7),
  tool_calls: fc.oneof(
    { weight: 2, arbitrary: fc.constant(undefined) },
    { weight: 2, arbitrary: fc.array(call, { maxLength: 10 }) },
    { weight: 1, arbitrary: fc.constantFrom(null, {}, ['no call']) },
  ),
  name: mostly(undefined, '', 'Ann'),
  refusal: mostly(undefined, null, 'No.'),
  'a note': mostly(undefined, '', 'Aha.'),
});

function read(messages: JsonObject[]) {
  return atOnce(guardedMessages({ model: 'm', messages })).map((one) => ({
    ...one,
    places: one.places.map((place) => ({ ...place, path: stepsOf(place.path) })),
  }));
}

describe('a message of a form that most have', () => {
  it('has the same parts and places as with the full reader', () => {
    let plain = 0;
    fc.assert(
      fc.property(fc.array(message, { maxLength: 4 }), (made) => {
        const messages = JSON.parse(JSON.stringify(made)) as JsonObject[];
        // A member without a text, which leaves the message to the full reader.
        const walked = read(messages.map((one) => ({ ...one, audio: null })));
        expect(read(messages)).toEqual(walked);
        plain += messages.filter((one, index) => plainMessage(one, index) !== undefined).length;
      }),
      { numRuns: 3_000 },
    );
    expect(plain).toBeGreaterThan(300);
  });
});
