import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { labelOf, oneOf } from './words.ts';
import { toYaml } from './yaml.ts';

it.each([
  { name: 'support', models: [{ provider: 'local', model: 'gpt-4.1', weight: 2 }], json_validation: true },
  {
    plugins: [{ plugin: 'pii_detection', config: { entities: ['PERSON'], mask: 'reversible' } }],
    empty: [],
    none: {},
  },
  { odd: ['yes', 'null', '1e3', '12', 'a: b', '# no', '', '- x', 'ünï', 'two\nlines', true, null, 0.5] },
  [[1, [2]], [{ a: [] }]],
])('reads the YAML that it writes as the same value: %j', (value) => {
  expect(parse(toYaml(value))).toEqual(value);
});

it('calls members by words, and one of a list by its own', () => {
  expect(labelOf('timeout_ms')).toBe('Timeout (ms)');
  expect(labelOf('some_new_key')).toBe('Some new key');
  expect(oneOf(labelOf('models'))).toBe('Model');
});
