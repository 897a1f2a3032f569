import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, it } from 'vitest';
import { configMistakes } from './config-mistakes.js';

const rule = {
  type: 'object',
  properties: { words: { type: ['array', 'null'] }, pattern: { type: 'string' }, deny: { const: true } },
  oneOf: [{ required: ['words'] }, { required: ['pattern'] }],
  additionalProperties: false,
};
const schema = {
  type: 'object',
  properties: {
    engine: { enum: ['own', 'other'] },
    url: { type: 'string' },
    rule,
    form: { anyOf: [{ type: 'string' }, { type: 'object', required: ['x'] }] },
  },
  if: { properties: { engine: { const: 'other' } }, required: ['engine'] },
  // An object with a member of this name is taken for a promise.
  ...JSON.parse('{"then":{"required":["url"]}}'),
};

function mistakesOf(config: object) {
  const validate = new Ajv2020({ allErrors: true, verbose: true, strict: false }).compile(schema);
  validate(config);
  return configMistakes(validate.errors ?? [], '/config').map(({ path, message }) => `${path} ${message}`);
}

it.each([
  ['what is missing, and not that a condition asks for it', { engine: 'other' }, ['/config/url is missing']],
  ['what is not known', { rule: { words: [], 'a/b': 1 } }, ['/config/rule/a~1b is not known here']],
  [
    'once what there is to choose from',
    { rule: {} },
    ['/config/rule must have exactly one of words, pattern'],
  ],
  [
    'that two exclude each other',
    { rule: { words: [], pattern: '' } },
    ['/config/rule must have exactly one of words, pattern'],
  ],
  ['each type that it may have', { rule: { words: 1 } }, ['/config/rule/words must be array or null']],
  ['the only value that it may have', { rule: { pattern: '', deny: 1 } }, ['/config/rule/deny must be true']],
  ['the values that it may have', { engine: 'x' }, ['/config/engine must be one of own, other']],
  [
    'the word that is probably meant',
    { engine: 'othr', rule: { word: [], pattern: '' } },
    [
      '/config/engine must be one of own, other; did you mean "other"?',
      '/config/rule/word is not known here; did you mean "words"?',
    ],
  ],
  [
    'what each form lacks, where the forms differ in more',
    { form: {} },
    ['/config/form must be string', '/config/form/x is missing', '/config/form must match a schema in anyOf'],
  ],
])('reports %s', (_what, config, expected) => {
  expect(mistakesOf(config)).toEqual(expected);
});
