import { afterAll, describe, expect, it } from 'vitest';
import type { JsonValue } from '../../src/core/json.js';
import { createOutputValidation } from '../../src/validation/create-output-validation.js';

const validation = createOutputValidation({
  schemaBytes: 262_144,
  deadlines: { compileMs: 20_000, steadyMs: 20_000, riskyMs: 20_000 },
});
afterAll(() => validation.close());

async function isValid(schema: JsonValue, output: JsonValue): Promise<boolean> {
  return (await (await validation.prepare(schema)).check(JSON.stringify(output))).valid;
}

describe('schemas', () => {
  it('are compiled once, even when they come at the same time', async () => {
    const schema = () => ({ type: 'object', properties: { once: { const: 1 } } });
    const [first, second] = await Promise.all([validation.prepare(schema()), validation.prepare(schema())]);
    expect(second).toBe(first);
    expect(await validation.prepare(schema())).toBe(first);
  });

  it('keep their patterns apart, even more of them than one compiler makes', async () => {
    for (let at = 0; at < 700; at++) {
      const schema = { type: 'string', pattern: `^p${at}$` };
      expect(await isValid(schema, `p${at}`)).toBe(true);
      expect(await isValid(schema, `p${at + 1}`)).toBe(false);
    }
  });

  it('cannot refer to the ids of other schemas', async () => {
    const other = { $id: 'http://example.com/other', $defs: { in: { $id: 'inner', type: 'string' } } };
    expect(await isValid(other, 1)).toBe(true);
    for (const $ref of ['http://example.com/other', 'http://example.com/inner', 'other', 'inner']) {
      await expect(validation.prepare({ $ref })).rejects.toMatchObject({ code: 'invalid_json_schema' });
    }
    expect(await isValid({ ...other, type: 'string' }, 1)).toBe(false);
  });

  it('may refer to the schema of their draft, which is known without a fetch', async () => {
    const schema = { $ref: 'https://json-schema.org/draft/2020-12/schema' };
    expect(await isValid(schema, { type: 'string' })).toBe(true);
    expect(await isValid(schema, { type: 'text' })).toBe(false);
  });
});

describe('a schema is read as its draft says and not as ajv would', () => {
  it.each<[string, JsonValue, JsonValue, boolean]>([
    ['a required name of the engine', { required: ['toString'] }, {}, false],
    ['an asynchronous schema', { $async: true, type: 'string' }, 1, false],
    ['a property of that name', { properties: { $async: { type: 'string' } } }, { $async: 1 }, false],
    ['nullable without a type', { nullable: true, minimum: 2 }, 1, false],
    ['an `id`', { id: 'x', type: 'string' }, 'a', true],
    ['an unknown keyword', { unknown: { deep: [1] }, type: 'string' }, 'a', true],
    ['an unknown format', { format: 'phone' }, 'a', true],
    ['a format with a name of the engine', { format: 'toString' }, 'a', true],
    ['a format called __proto__', { format: '__proto__' }, 'a', true],
    ['a known format', { format: 'date' }, '2026-02-30', false],
    ['an empty enum', { enum: [] }, 1, false],
    [
      'equality of names of the engine',
      { const: JSON.parse('{"constructor":1,"valueOf":2}') },
      JSON.parse('{"constructor":1,"valueOf":2}'),
      true,
    ],
    [
      'a property called __proto__',
      JSON.parse('{"properties":{"__proto__":{"type":"string"}}}'),
      JSON.parse('{"__proto__":1}'),
      false,
    ],
    ['no coercion', { type: 'number' }, '1', false],
    ['no defaults', { properties: { a: { default: 1 } }, required: ['a'] }, {}, false],
    [
      'what stands beside a reference in draft 07',
      {
        $schema: 'http://json-schema.org/draft-07/schema#',
        properties: { a: { $ref: '#/definitions/b', type: 'number' } },
        definitions: { b: { type: 'string' } },
      },
      { a: 'x' },
      true,
    ],
    [
      'the same in 2020-12',
      { properties: { a: { $ref: '#/$defs/b', minLength: 2 } }, $defs: { b: { type: 'string' } } },
      { a: 'x' },
      false,
    ],
    [
      'a dynamic reference with one target',
      { items: { $dynamicRef: '#node' }, $defs: { n: { $dynamicAnchor: 'node', type: 'string' } } },
      [1],
      false,
    ],
    [
      'a condition that did not hold',
      { if: { properties: { a: { const: 1 } }, required: ['a'] }, unevaluatedProperties: false },
      { a: 2 },
      false,
    ],
    [
      'an item that `contains` has found',
      { contains: { const: 1 }, unevaluatedItems: { const: 2 } },
      [1, 2, 3],
      false,
    ],
  ])('%s', async (_, schema, output, expected) => {
    expect(await isValid(schema, output)).toBe(expected);
  });
});
