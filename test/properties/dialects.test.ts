import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { DIALECT_IDS } from '../../src/core/dialect-ids.js';
import type { Dialect } from '../../src/dialects/dialect.js';
import { dialectById, dialects } from '../../src/dialects/index.js';
import { describeInLogs } from './dialects-logs-suite.js';
import { describeDialect } from './dialects-suite.js';

/* A new dialect is on trial here as soon as it is in the list. */

const folders = readdirSync(new URL('../../src/dialects', import.meta.url), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !['members', 'texts', 'translate', 'wire'].includes(entry.name))
  .map(({ name }) => name);

it.each(folders)('the dialect of the folder %s is in the list', async (folder) => {
  const exported: object = await import(`../../src/dialects/${folder}/index.ts`);
  const [dialect] = Object.values(exported) as Dialect[];
  expect(DIALECT_IDS).toContain(dialect!.id);
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
