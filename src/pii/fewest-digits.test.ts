import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CodeTable } from './codes.js';
import { createDetector } from './index.js';
import { codes, recognizers } from './registry.js';
import { blockOf } from './runs.js';

const ofCodes = codes.map((one) => ({
  ...one,
  find: (...given: Parameters<CodeTable['find']>) => new CodeTable([one]).find(...given),
}));
const counted = [...recognizers, ...ofCodes].filter(({ fewestDigits = 0 }) => fewestDigits > 1);
const GROUPS = fc.stringMatching(/^[+(A-Z]{0,3}(?:\d{1,5}[)]?[ .-]{0,2}[A-Z]{0,2}){1,10}$/);

describe('the fewest digits of a recognizer', () => {
  it.each(counted.map((one) => [one.name, one] as const))('are part of every match: %s', (_, recognizer) => {
    fc.assert(
      fc.property(GROUPS, (text) => {
        const block = blockOf(text, 0, text.length);
        recognizer.find(
          { ...block, runs: block.runs.map((run) => ({ ...run, digits: 99 })) },
          ({ start }) => {
            expect(block.mostDigits).toBeGreaterThanOrEqual(recognizer.fewestDigits!);
            const run = block.runs.find((one) => one.start >= start);
            expect(run?.digits).toBeGreaterThanOrEqual(recognizer.fewestDigits!);
          },
        );
      }),
    );
  });

  it('are close together, even in a number of small groups', () => {
    const found = createDetector({ entities: ['CREDIT_CARD'] }).detectSync('card 41 11 11 11 11 11 11 11');
    expect(found.map(({ entityType }) => entityType)).toEqual(['CREDIT_CARD']);
  });
});
