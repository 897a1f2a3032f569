import fc from 'fast-check';
import { expect, it } from 'vitest';
import { pack, unpack } from './packed-found.js';

const one = fc.record(
  {
    type: fc.constantFrom('PERSON', 'EMAIL_ADDRESS', 'TEXT_RULE'),
    start: fc.nat(),
    end: fc.nat(),
    score: fc.double({ min: 0, max: 1 }),
    explanation: fc.record({ rule: fc.nat(3) }),
  },
  { requiredKeys: ['type', 'start', 'end', 'score'] },
);

it('findings are the same after being packed, sent and unpacked', () =>
  fc.assert(
    fc.asyncProperty(fc.array(fc.array(one)), async (found) => {
      expect(await unpack(structuredClone(pack(found)))).toEqual(found);
    }),
  ));

it('many findings are unpacked in pieces', async () => {
  const many = Array.from({ length: 400_000 }, (_, start) => ({
    type: 'X',
    start,
    end: start + 1,
    score: 1,
  }));
  let turns = 0;
  const count = setInterval(() => turns++, 0);
  await unpack(pack([many]));
  clearInterval(count);
  expect(turns).toBeGreaterThan(0);
});
