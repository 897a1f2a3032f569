import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../core/json.js';
import { sampleOf } from './schema-sample.js';

const tree: JsonObject = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    children: { type: 'array', items: { $ref: '#/$defs/node' } },
    next: { anyOf: [{ $ref: '#/$defs/node' }, { type: 'null' }] },
  },
  required: ['name', 'children', 'next'],
  additionalProperties: false,
};

const SCHEMAS: [string, JsonObject][] = [
  ['a flat object', { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }],
  ['bounds of numbers', { type: 'array', items: { type: 'integer', minimum: 5, maximum: 7 }, minItems: 3 }],
  ['an open bound', { type: 'number', exclusiveMinimum: 2.5 }],
  ['an upper bound', { type: 'number', maximum: -3 }],
  ['bounds of strings', { type: 'string', minLength: 12, maxLength: 20 }],
  ['a short string', { type: 'string', maxLength: 3 }],
  [
    'formats',
    { type: 'object', properties: { at: { type: 'string', format: 'date-time' } }, required: ['at'] },
  ],
  ['an enumeration', { enum: ['red', 'green'] }],
  ['a constant', { const: 4 }],
  ['a type list', { type: ['string', 'null'] }],
  ['a choice', { anyOf: [{ type: 'boolean' }, { type: 'null' }] }],
  ['recursion', { ...tree, $defs: { node: tree } }],
];

describe('the sample of a schema', () => {
  it.each(SCHEMAS)('satisfies %s', (_, schema) => {
    const ajv = addFormats.default(new Ajv2020({ strict: false }));
    const validate = ajv.compile(schema);
    validate(sampleOf(schema, 'some text'));
    expect(validate.errors).toBeNull();
  });

  it('contains the text that it was given', () => {
    expect(sampleOf({ type: 'object', properties: { a: { type: 'string' } } }, 'Hello')).toEqual({
      a: 'Hello',
    });
  });
});
