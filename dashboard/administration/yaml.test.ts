import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { labelOf, oneOf } from './words.ts';
import { readEndpoint, writeEndpoint, writeEntry } from './yaml.ts';

const ENDPOINTS = [
  { name: 'support', models: [{ provider: 'local', model: 'gpt-4.1', weight: 2 }], json_validation: true },
  {
    plugins: [{ plugin: 'pii_detection', config: { entities: ['PERSON'], mask: 'reversible' } }],
    empty: [],
    none: {},
  },
  { odd: ['yes', 'null', '1e3', '12', 'a: b', '# no', '', '- x', 'ünï', 'two\nlines', true, null, 0.5] },
  { deep: [[1, [2]], [{ a: [] }]] },
];

describe('an endpoint as YAML', () => {
  it.each(ENDPOINTS)('is read as it was written: %j', (value) => {
    expect(readEndpoint(writeEndpoint(value))).toEqual({ value });
  });

  it.each(ENDPOINTS)('is copied as an entry of a list, and read from one: %j', (value) => {
    expect(parse(writeEntry(value))).toEqual([value]);
    expect(readEndpoint(writeEntry(value))).toEqual({ value });
  });

  it.each([
    ['name: support\nname: other', 'Line 2, column 1: Map keys must be unique'],
    [
      'models: [a, b',
      'Line 1, column 14: Flow sequence in block collection must be sufficiently indented and end with a ]',
    ],
    ['', 'An endpoint is a map'],
    ['- name: a\n- name: b', 'An endpoint is a map'],
    ['just words', 'An endpoint is a map'],
  ])('says where it is wrong: %j', (text, error) => {
    expect(readEndpoint(text)).toEqual({ error: expect.stringContaining(error) });
  });

  it('is refused where its aliases expand without limit', () => {
    const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]'];
    for (let level = 1; level < 9; level++) {
      lines.push(
        `a${level}: &a${level} [${Array(10)
          .fill(`*a${level - 1}`)
          .join(', ')}]`,
      );
    }
    expect(readEndpoint(lines.join('\n'))).toHaveProperty('error');
  });
});

it('labels keys in words, and an item of a list with the singular', () => {
  expect(labelOf('timeout_ms')).toBe('Timeout (ms)');
  expect(labelOf('some_new_key')).toBe('Some new key');
  expect(oneOf(labelOf('models'))).toBe('Model');
});
