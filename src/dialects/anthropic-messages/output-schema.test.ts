import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { complaints } from '../../../test/support/strict/complaints.js';
import type { JsonObject, JsonValue } from '../../core/json.js';
import { acceptedSchema, canBeHeldTo } from './output-schema.js';

const object = (properties: JsonObject): JsonObject => ({ type: 'object', properties });

describe('a schema for outputs', () => {
  it('is sent without the keywords that the API refuses, which are described in words instead', () => {
    expect(
      acceptedSchema({
        ...object({
          age: { type: 'integer', minimum: 0, maximum: 150 },
          name: { type: 'string', minLength: 1, description: 'Full name.' },
          tags: { type: 'array', items: { type: 'string', pattern: '^x' }, minItems: 2 },
          day: { type: 'string', format: 'date' },
          of: { oneOf: [{ type: 'string' }, object({ a: { const: 1 } })] },
        }),
        $schema: 'https://json-schema.org/draft/2020-12/schema',
      }),
    ).toEqual({
      type: 'object',
      additionalProperties: false,
      properties: {
        age: { type: 'integer', description: 'Must hold: at least 0; at most 150.' },
        name: { type: 'string', description: 'Full name.\nMust hold: at least 1 characters.' },
        tags: {
          type: 'array',
          items: { type: 'string', description: 'Must hold: matches the pattern ^x.' },
          description: 'Must hold: at least 2 items.',
        },
        day: { type: 'string', format: 'date' },
        of: { anyOf: [{ type: 'string' }, { ...object({ a: { const: 1 } }), additionalProperties: false }] },
      },
    });
  });

  it.each<[string, JsonValue, boolean]>([
    ['named members', object({ a: { type: 'string' } }), true],
    ['members of any name', { type: 'object', additionalProperties: { type: 'string' } }, false],
    ['members of any name within', object({ a: { type: 'object' } }), false],
    ['no members', { type: 'object', properties: {}, additionalProperties: false }, true],
    [
      'a ring',
      { ...object({ a: { $ref: '#/$defs/x' } }), $defs: { x: object({ x: { $ref: '#/$defs/x' } }) } },
      false,
    ],
    ['itself', object({ a: { $ref: '#' } }), false],
    [
      'a definition twice',
      { ...object({ a: { $ref: '#/$defs/x' }, b: { $ref: '#/$defs/x' } }), $defs: { x: { type: 'string' } } },
      true,
    ],
    ['a list', { type: 'array', items: { type: 'string' } }, true],
    ['anything', true, false],
  ])('of %s is enforced by the API, or is only described', (_name, schema, can) => {
    expect(canBeHeldTo(schema)).toBe(can);
  });

  it('is never sent in a form that the API refuses', () => {
    const leaf = fc.record(
      {
        type: fc.constantFrom('string', 'integer', 'number', 'boolean'),
        minimum: fc.nat(),
        pattern: fc.constant('^a'),
        format: fc.constantFrom('date', 'phone'),
        maxLength: fc.nat(),
      },
      { requiredKeys: ['type'] },
    );
    const { schema } = fc.letrec<{ schema: JsonObject }>((tie) => ({
      schema: fc.oneof(
        { depthSize: 'small' },
        leaf as fc.Arbitrary<JsonObject>,
        fc.record(
          {
            type: fc.constant('array'),
            items: tie('schema'),
            minItems: fc.nat(3),
            uniqueItems: fc.boolean(),
          },
          { requiredKeys: ['type', 'items'] },
        ) as fc.Arbitrary<JsonObject>,
        fc.record(
          {
            type: fc.constant('object'),
            properties: fc.dictionary(fc.string({ minLength: 1 }), tie('schema'), { minKeys: 1 }),
            minProperties: fc.nat(),
          },
          { requiredKeys: ['type', 'properties'] },
        ) as fc.Arbitrary<JsonObject>,
        fc.record({
          oneOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }),
        }) as fc.Arbitrary<JsonObject>,
      ),
    }));
    fc.assert(
      fc.property(schema, (sent) => {
        const body: JsonObject = {
          model: 'm',
          max_tokens: 1,
          messages: [{ role: 'user', content: 'x' }],
          output_config: { format: { type: 'json_schema', schema: acceptedSchema(sent) } },
        };
        expect(complaints({ dialect: 'anthropic.messages', body })).toEqual([]);
      }),
    );
  });
});
