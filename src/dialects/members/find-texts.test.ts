import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../core/json.js';
import { findTexts, hasNoOtherTexts } from './find-texts.js';
import { bytes, id, Members, text, whole, word } from './members.js';

const known = new Members(() => ({
  role: word,
  content: text,
  id,
  data: bytes,
  usage: whole('counts'),
  items: new Members(() => ({ type: word, text })),
  word_or_object: new Members(() => ({ type: word }), { string: word }),
}));
const knownWithOthers = new Members(() => ({ role: word }), { others: word });

const value: fc.Arbitrary<JsonValue> = fc.oneof(
  fc.constantFrom<JsonValue>('', 'word', 'Some text.', 7, 123_456_789, null, true, [], {}, { a: 'text' }),
  fc.constantFrom<JsonValue>(
    { total: 3 },
    ['word'],
    [{ type: 'x' }],
    [{ text: 'A text.' }],
    'QUJDREVGR0hJSktMTU5PUA==',
  ),
);
const key = fc.constantFrom(
  'role',
  'content',
  'id',
  'data',
  'usage',
  'items',
  'word_or_object',
  'other',
  'no word',
  '',
);
const holders = fc.dictionary(key, value) as fc.Arbitrary<JsonObject>;

it.each([
  ['no others', known],
  ['others', knownWithOthers],
])('hasNoOtherTexts agrees with findTexts for any value (members with %s)', (_name, members) => {
  fc.assert(
    fc.property(holders, fc.subarray(['content', 'items']), (holder, read) => {
      const found = findTexts(holder, [], members, new Map([[holder, new Set(read)]]));
      const saysNothing = hasNoOtherTexts(read, holder, members);
      if (saysNothing) expect(found).toEqual([]);
      const isFlat = Object.values(holder).every((member) => typeof member !== 'object' || member === null);
      if (isFlat && !('data' in holder)) expect(saysNothing).toBe(found.length === 0);
    }),
    { numRuns: 2_000 },
  );
});
