/**
 * Numbers that programs write are findings only where a word or a form of their own says what they are: of nine or ten
 * random figures, every tenth passes some country's check. fast-check prints the seed of a failure.
 */
import fc from 'fast-check';
import { describe, it } from 'vitest';
import { createDetector } from '../../src/pii/index.js';

const RUNS = 2_000;
const detector = createDetector({ language: 'en' });

const figures = (count: number) => fc.stringMatching(new RegExp(`^[1-9]\\d{${count - 1}}$`));
const two = (most: number) => fc.nat(most).map((value) => String(value).padStart(2, '0'));
const clock = fc.tuple(two(23), two(59), two(59)).map((parts) => parts.join(''));

/** Where programs put a number. None of these says what it is. */
const LINES = [
  (n: string) => n,
  (n: string) => `2024-03-17T10:11:12Z INFO worker job ${n} finished`,
  (n: string) => `{"id":${n},"ok":true}`,
  (n: string) => `const offset = ${n};`,
  (n: string) => `[${n}] session opened`,
  (n: string) => `ts=${n} level=warn msg="slow"`,
  (n: string) => `GET /items/${n} 200`,
  (n: string) => `row ${n}, next`,
  (n: string) => `pid ${n} exited`,
  (n: string) => `Nov 12 ${n} kernel: ok`,
];

const KINDS: readonly [name: string, number: fc.Arbitrary<string>][] = [
  ['seconds since 1970', fc.integer({ min: 1_000_000_000, max: 1_999_999_999 }).map(String)],
  ['milliseconds since 1970', fc.integer({ min: 1_000_000_000_000, max: 1_999_999_999_999 }).map(String)],
  ['nine figures', figures(9)],
  ['ten figures', figures(10)],
  ['eleven figures', figures(11)],
  [
    'a time and the number of a process',
    fc.tuple(clock, fc.integer({ min: 100, max: 99_999 })).map((parts) => parts.join(' ')),
  ],
];

describe('without a word for it, nothing is found in', () => {
  it.each(KINDS)('in %s', (_, number) => {
    fc.assert(
      fc.property(number, fc.constantFrom(...LINES), (value, line) => {
        const text = line(value);
        const at = text.indexOf(value);
        return !detector
          .detectSync(text)
          .some(
            ({ entityType, start, end }) =>
              entityType !== 'DATE_TIME' && start < at + value.length && end > at,
          );
      }),
      { numRuns: RUNS },
    );
  });
});
