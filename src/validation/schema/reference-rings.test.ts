import { describe, expect, it } from 'vitest';
import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json.js';
import { findReferenceRing } from './reference-rings.js';
import { walkSchemas } from './schema-walk.js';

function ringOf(schema: JsonValue): string | undefined {
  const schemas = new Map<JsonObject, string>();
  walkSchemas(schema, (part, pointer) => schemas.set(part, pointer));
  expect(isJsonObject(schema)).toBe(true);
  return findReferenceRing(schema, schemas);
}

describe('a ring of references', () => {
  it.each([
    ['a reference to itself', { $ref: '#' }, ''],
    [
      'a ring through anyOf',
      { properties: { a: { anyOf: [{ type: 'null' }, { $ref: '#/properties/a' }] } } },
      '/properties/a',
    ],
    [
      'two that refer to each other',
      { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { not: { $ref: '#/$defs/a' } } } },
      '/$defs/a',
    ],
    ['one that nothing uses', { $defs: { a: { if: { $ref: '#/$defs/a' } } } }, '/$defs/a'],
  ])('is found: %s', (_, schema, pointer) => {
    expect(ringOf(schema as JsonValue)).toBe(pointer);
  });

  it.each([
    ['a tree', { properties: { children: { items: { $ref: '#' } } } }],
    ['a list', { anyOf: [{ type: 'null' }, { properties: { next: { $ref: '#' } } }] }],
    [
      'one target of two references',
      { allOf: [{ $ref: '#/$defs/a' }, { $ref: '#/$defs/a' }], $defs: { a: {} } },
    ],
    ['a reference to nothing', { $ref: '#/$defs/none' }],
  ])('is not reported for %s', (_, schema) => {
    expect(ringOf(schema as JsonValue)).toBeUndefined();
  });
});
