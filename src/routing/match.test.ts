import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../core/json.js';
import type { When } from '../core/settings.js';
import { matches } from './match.js';

const TAGS = ['tier:pro', 'beta'];

describe('a model without `when`', () => {
  it('fits every request', () => {
    expect(matches(undefined, [], {})).toBe(true);
    expect(matches({}, [], {})).toBe(true);
  });
});

describe('tags', () => {
  it.each<[string, When, boolean]>([
    ['tags_any: one of them is enough', { tags_any: ['x', 'beta'] }, true],
    ['tags_any: none of them', { tags_any: ['x', 'y'] }, false],
    ['tags_any: an empty list is met by nothing', { tags_any: [] }, false],
    ['tags_all: all are there', { tags_all: ['beta', 'tier:pro'] }, true],
    ['tags_all: one is missing', { tags_all: ['beta', 'x'] }, false],
    ['tags_all: an empty list asks for nothing', { tags_all: [] }, true],
    ['tags_none: none is there', { tags_none: ['x', 'y'] }, true],
    ['tags_none: one is there', { tags_none: ['x', 'beta'] }, false],
    ['a tag is compared whole', { tags_any: ['tier:'] }, false],
    ['a tag is compared with its case', { tags_any: ['Beta'] }, false],
  ])('%s', (_what, when, expected) => {
    expect(matches(when, TAGS, {})).toBe(expected);
  });
});

describe('metadata', () => {
  it.each<[string, JsonObject, Record<string, JsonValue>, boolean]>([
    ['a number is not a string', { level: 1 }, { level: '1' }, false],
    ['a number is that number', { level: 1.0 }, { level: 1 }, true],
    ['a boolean is not a string', { on: true }, { on: 'true' }, false],
    ['null is not a missing key', {}, { x: null }, false],
    ['null is null', { x: null }, { x: null }, true],
    ['an object is equal in any order of its keys', { o: { a: 1, b: [2] } }, { o: { b: [2], a: 1 } }, true],
    ['a list is equal in its own order only', { l: [1, 2] }, { l: [2, 1] }, false],
    ['more keys than asked for do no harm', { a: 1, b: 2 }, { a: 1 }, true],
    ['each key must hold', { a: 1 }, { a: 1, b: 2 }, false],
    ['a key with a dot is one key', { a: { b: 1 } }, { 'a.b': 1 }, false],
    ['what every object inherits is no metadata', {}, { constructor: null }, false],
  ])('%s', (_what, metadata, wanted, expected) => {
    expect(matches({ metadata: wanted }, [], metadata)).toBe(expected);
  });
});

it('a `when` holds only where all of its conditions hold', () => {
  const when: When = { tags_any: ['beta'], tags_none: ['x'], metadata: { level: 3 } };
  expect(matches(when, TAGS, { level: 3 })).toBe(true);
  expect(matches(when, [...TAGS, 'x'], { level: 3 })).toBe(false);
  expect(matches(when, TAGS, { level: 4 })).toBe(false);
});
