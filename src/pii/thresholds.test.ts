import { expect, it } from 'vitest';
import { createDetector } from './index.js';
import { Thresholds } from './thresholds.js';

it('a threshold is one score for all types, or one for each with a default', () => {
  expect(new Thresholds().of('PERSON')).toBe(0.5);
  expect(new Thresholds(0.3).of('URL')).toBe(0.3);
  const both = new Thresholds({ PERSON: 0.7, default: 0.4 });
  expect([both.of('PERSON'), both.of('URL'), both.lowest]).toEqual([0.7, 0.4, 0.4]);
  expect(new Thresholds({ PERSON: 0.2 }).of('URL')).toBe(0.5);
});

it('a mistake names the type or score that is wrong, and its place', () => {
  expect(() => new Thresholds({ PERSONS: 0.5 } as never)).toThrow(/unknown entity type "PERSONS"/);
  expect(() => createDetector({ scoreThreshold: { URL: 2 } })).toThrow(
    expect.objectContaining({ path: 'scoreThreshold.URL', message: 'expected a number from 0 to 1' }),
  );
  expect(() => createDetector({ scoreThreshold: -1 })).toThrow(/expected a number from 0 to 1/);
});

it('findings below the threshold of their type are left out', () => {
  const text = 'Ada Lovelace, ada@example.org';
  const types = (scoreThreshold: Record<string, number>) =>
    createDetector({ scoreThreshold })
      .detectSync(text)
      .map(({ entityType }) => entityType);
  expect(types({ default: 0.5 })).toEqual(['PERSON', 'EMAIL_ADDRESS']);
  expect(types({ PERSON: 1 })).toEqual(['EMAIL_ADDRESS']);
});
