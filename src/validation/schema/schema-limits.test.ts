import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../core/json.js';
import { findLimitProblem, MAX_SCHEMA_DEPTH, MAX_SCHEMA_REFERENCES } from './schema-limits.js';

const nested = (levels: number) => {
  let schema: JsonValue = {};
  for (let level = 1; level < levels; level++) schema = { not: schema };
  return schema;
};

describe('the limits of a schema', () => {
  it('let an ordinary schema pass', () => {
    expect(
      findLimitProblem({ type: 'object', properties: { a: { enum: [1, null] } } }, 1000),
    ).toBeUndefined();
  });

  it('bound its size', () => {
    const problem = findLimitProblem({ description: 'x'.repeat(1000) }, 1000);
    expect(problem).toEqual({ path: '', message: 'larger than 1000 bytes' });
  });

  it('bound how many values it has, and say where they are', () => {
    const problem = findLimitProblem({ properties: { 'a/b': { enum: Array(300).fill(1) } } }, 1000);
    expect(problem).toEqual({ path: '/properties/a~1b/enum', message: 'more than 250 values' });
  });

  it('bound its depth', () => {
    expect(findLimitProblem(nested(MAX_SCHEMA_DEPTH), 100_000)).toBeUndefined();
    const problem = findLimitProblem(nested(MAX_SCHEMA_DEPTH + 1), 100_000);
    expect(problem?.message).toBe('nested deeper than 200 levels');
    expect(problem?.path).toMatch(/^\/not\/not\//);
  });

  it('hold for a schema of 100,000 levels, which overflows no stack', () => {
    expect(findLimitProblem(nested(100_000), 10_000_000)?.message).toBe('nested deeper than 200 levels');
  });

  it('bound the number of references', () => {
    const references = Array.from({ length: MAX_SCHEMA_REFERENCES + 1 }, () => ({ $ref: '#' }));
    expect(findLimitProblem({ anyOf: references }, 1_000_000)?.message).toBe('more than 4096 references');
  });
});
