import { describe, expect, it } from 'vitest';
import { DIALECT_IDS } from '../../src/core/log-record.js';
import { dialectById, dialects } from '../../src/dialects/index.js';
import { describeInLogs } from './dialects-logs-suite.js';
import { describeDialect } from './dialects-suite.js';

/* A new dialect is on trial here as soon as it is in the list. */

it.each(DIALECT_IDS)('%s is in the list', (id) => {
  expect(dialectById(id).id).toBe(id);
});

describe.each(dialects.map((dialect) => [dialect.id, dialect] as const))('%s', (_id, dialect) => {
  it('is found by its id', () => {
    expect(dialectById(dialect.id)).toBe(dialect);
  });

  describe('in logs', () => describeInLogs(dialect));

  describeDialect(
    dialect,
    dialect.id === 'gemini.generate' ? { metadata: true, modelInBody: true, otherDeltas: true } : {},
  );
});
