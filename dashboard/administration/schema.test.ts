import { describe, expect, it } from 'vitest';
import { emptyOf, mistakeOf } from './schema.ts';

describe('a value of a form', () => {
  it.each([
    [{ type: 'string' }, undefined, undefined],
    [{ type: 'string', pattern: '^a' }, 'b', 'must match ^a'],
    [{ type: 'string', maxLength: 2 }, 'abc', 'must have at most 2 characters'],
    [{ type: 'integer', minimum: 1 }, 0, 'must be at least 1'],
    [{ type: 'integer' }, 1.5, 'must be a whole number'],
    [{ type: 'number', exclusiveMinimum: 0 }, 0, 'must be above 0'],
    [{ type: 'number' }, Number.NaN, 'must be a number'],
    [{ type: 'number', maximum: 1 }, 0.5, undefined],
  ])('is checked against its schema: %j %j: %s', (schema, value, mistake) => {
    expect(mistakeOf(schema, value)).toBe(mistake);
  });

  it('starts with the required keys', () => {
    const item = { type: 'object', required: ['name'], properties: { name: { type: 'string' }, more: {} } };
    expect(emptyOf(item)).toEqual({ name: '' });
    expect(emptyOf({ type: 'array' })).toEqual([]);
  });
});
