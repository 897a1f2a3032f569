/**
 * Lines as people paste them into chats, forms and programs, in nine languages, with traps: test/fixtures/pii-lines.jsonl,
 * of which the name model has learnt nothing. Each is its set, its language, its text, and type, start and end of each span.
 * They come from few hands, so that they say less of other text than `npm run bench -- pii` does: what is held here is that
 * nothing breaks as a whole.
 */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { createDetector } from './index.js';

type Span = [type: string, start: number, end: number];
type Line = [set: string, language: string, text: string, spans: Span[]];

const LINES = readFileSync(new URL('../../test/fixtures/pii-lines.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Line);

function areAlike([type, start, end]: Span, [otherType, from, to]: Span): boolean {
  const common = Math.min(end, to) - Math.max(start, from);
  return type === otherType && 2 * common >= Math.max(end, to) - Math.min(start, from);
}

/** Of a type over all lines: the share of marks that is found, and the share of findings that is right. */
function sharesOf(type: string, languageOf: (language: string) => string) {
  let marked = 0;
  let found = 0;
  let right = 0;
  for (const [, language, text, spans] of LINES) {
    const gold = spans.filter((span) => span[0] === type);
    const findings = createDetector({ language: languageOf(language) })
      .detectSync(text)
      .map(({ entityType, start, end }): Span => [entityType, start, end])
      .filter((span) => span[0] === type);
    marked += gold.length;
    found += findings.length;
    right += gold.filter((one) => findings.some((other) => areAlike(one, other))).length;
  }
  return { recall: right / marked, precision: right / found };
}

it.each([
  ['PERSON', 0.9, 0.9],
  ['LOCATION', 0.88, 0.88],
  ['EMAIL_ADDRESS', 0.97, 0.97],
  ['PHONE_NUMBER', 0.95, 0.93],
  ['DATE_TIME', 0.9, 0.9],
])(
  'of the marked values in %s at least %d are found, and at least %d of the findings are right',
  (type, recall, precision) => {
    const shares = sharesOf(type, (language) => language);
    expect(shares.recall).toBeGreaterThanOrEqual(recall);
    expect(shares.precision).toBeGreaterThanOrEqual(precision);
  },
);

it('people are found as well where the language is not given', () => {
  const told = sharesOf('PERSON', (language) => language);
  const guessed = sharesOf('PERSON', () => 'auto');
  expect(guessed.recall).toBeGreaterThanOrEqual(told.recall - 0.02);
  expect(guessed.precision).toBeGreaterThanOrEqual(told.precision - 0.02);
});
