import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../core/json.js';
import { unfoldedNodes } from './schema-cost.js';

function doubling(levels: number): JsonValue {
  const $defs: Record<string, JsonValue> = { a0: {} };
  for (let at = 1; at <= levels; at++) {
    $defs[`a${at}`] = { allOf: [{ $ref: `#/$defs/a${at - 1}` }, { $ref: `#/$defs/a${at - 1}` }] };
  }
  return { $ref: `#/$defs/a${levels}`, $defs };
}

describe('the unfolded size of a schema', () => {
  it('is its number of values where nothing is referred to', () => {
    expect(unfoldedNodes({ type: 'object', properties: { a: { enum: [1, 2] } } })).toBe(7);
  });

  it('counts what is referred to once for each reference', () => {
    const once = unfoldedNodes({
      $defs: { a: { type: 'string' } },
      properties: { x: { $ref: '#/$defs/a' } },
    });
    const twice = unfoldedNodes({
      $defs: { a: { type: 'string' } },
      properties: { x: { $ref: '#/$defs/a' }, y: { $ref: '#/$defs/a' } },
    });
    expect(twice - once).toBe(4);
  });

  it('grows with every doubling, until it counts as infinite', () => {
    expect(unfoldedNodes(doubling(5))).toBeGreaterThan(unfoldedNodes(doubling(4)) * 1.9);
    expect(unfoldedNodes(doubling(40))).toBe(Number.POSITIVE_INFINITY);
  });

  it.each([
    ['a reference to the whole', { properties: { child: { $ref: '#' } } }],
    ['a reference that leads back', { $defs: { a: { items: { $ref: '#/$defs/a' } } }, $ref: '#/$defs/a' }],
    ['an anchor', { $ref: '#a', $defs: { a: { $anchor: 'a' } } }],
    ['a dynamic reference', { $dynamicRef: '#a' }],
    ['a part with an id', { properties: { a: { $id: 'http://example.com/a', items: { $ref: '#/x' } } } }],
  ])('is infinite for %s', (_, schema) => {
    expect(unfoldedNodes(schema)).toBe(Number.POSITIVE_INFINITY);
  });
});
