import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { RE2JS } from 're2js';
import { afterAll, describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../src/core/json.js';
import { createOutputValidation } from '../../src/validation/create-output-validation.js';
import { NotTranslatable, translatePattern } from '../../src/validation/pattern/translate-pattern.js';

/** Far from any check's true time, so that a busy machine changes no result. */
const validation = createOutputValidation({
  schemaBytes: 262_144,
  deadlines: { compileMs: 20_000, steadyMs: 20_000, riskyMs: 20_000 },
});
afterAll(() => validation.close());

/** `toString` and `constructor` are not among them: ajv's own equality is wrong for these. */
const names = fc.constantFrom('a', 'b', 'c', 'hasOwnProperty', 'isPrototypeOf');
const scalars = fc.oneof(
  fc.constantFrom(0, 1, -1, 2.5, 10, '', 'a', 'ab', 'b1', 'é', '😀', true, false, null),
  fc.integer({ min: -5, max: 12 }),
);
const outputs: fc.Arbitrary<JsonValue> = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    scalars,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(names, tie('value'), { maxKeys: 4 }) as fc.Arbitrary<JsonObject>,
  ),
})).value;

const patterns = fc.constantFrom('^a', 'b$', '^[a-b]\\d$', '^.$', '^\\p{L}+$', '^(a|b)*$', '^(?!b)');
const types = fc.constantFrom('object', 'array', 'string', 'number', 'integer', 'boolean', 'null');
const schemas: fc.Arbitrary<JsonValue> = fc.letrec<{ schema: JsonValue }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc.boolean(),
    fc.record({ type: fc.oneof(types, fc.uniqueArray(types, { minLength: 1, maxLength: 3 })) }),
    fc.record({ enum: fc.uniqueArray(scalars, { minLength: 1, maxLength: 3 }) }),
    fc.record({ const: outputs }),
    fc.record({ minimum: fc.integer({ min: -3, max: 5 }), multipleOf: fc.constantFrom(1, 2, 0.5) }),
    fc.record({ minLength: fc.nat(2), maxLength: fc.nat(3), pattern: patterns }, { requiredKeys: [] }),
    fc.record({ format: fc.constantFrom('date', 'email', 'int32', 'toString', 'unknown') }),
    fc.record(
      {
        type: fc.constant('object'),
        properties: fc.dictionary(names, tie('schema'), { maxKeys: 3 }),
        required: fc.uniqueArray(names, { maxLength: 2 }),
        additionalProperties: tie('schema'),
        patternProperties: fc.dictionary(patterns, tie('schema'), { maxKeys: 2 }),
        propertyNames: tie('schema'),
        minProperties: fc.nat(2),
      },
      { requiredKeys: ['type'] },
    ),
    fc.record(
      {
        items: tie('schema'),
        contains: tie('schema'),
        uniqueItems: fc.boolean(),
        minItems: fc.nat(2),
        maxItems: fc.nat(3),
      },
      { requiredKeys: ['items'] },
    ),
    fc.record({ anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ oneOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ allOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ not: tie('schema') }),
    fc.record(
      // biome-ignore lint/suspicious/noThenProperty: `then` is a keyword of JSON Schema.
      { if: tie('schema'), then: tie('schema'), else: tie('schema') },
      { requiredKeys: ['if', 'then'] },
    ),
    fc.constant({ $ref: '#/$defs/shared' }),
  ),
})).schema;

/** The schema with the part that `$ref` speaks of, in the draft that is asked for. */
function complete(schema: JsonValue, shared: JsonValue, $schema: string): JsonObject {
  return { $schema, allOf: [schema], $defs: { shared } };
}

/** A use of itself, which no output reaches, sends the check to a thread. */
function inThread(schema: JsonObject): JsonObject {
  return { ...schema, $defs: { ...(schema.$defs as JsonObject), ring: { items: { $ref: '#/$defs/ring' } } } };
}

/** Generated objects can be without prototype; parsed ones never are. */
function asParsed<Value extends JsonValue>(value: Value): Value {
  return JSON.parse(JSON.stringify(value));
}

describe('a verdict', () => {
  const options = { strict: false, ownProperties: true, logger: false } as const;
  const oracles = [
    { $schema: 'https://json-schema.org/draft/2020-12/schema', create: () => new Ajv2020(options) },
    { $schema: 'http://json-schema.org/draft-07/schema#', create: () => new Ajv(options) },
  ];

  it.each(oracles)(
    'is the same as that of ajv, here and in a thread: $$schema',
    async ({ $schema, create }) => {
      // Formats are known to ours alone; a schema of another shape has them as notes.
      const shared = fc.constantFrom<JsonValue>({ type: 'string' }, { minimum: 2 }, { maxProperties: 1 });
      await fc.assert(
        fc.asyncProperty(
          schemas,
          shared,
          fc.array(outputs, { minLength: 1, maxLength: 4 }),
          async (part, common, given) => {
            fc.pre(!JSON.stringify(part).includes('"format"'));
            const schema = complete(part, common, $schema);
            const oracle = create().compile(asParsed(schema));
            const here = await validation.prepare(schema);
            const there = await validation.prepare(inThread(schema));
            for (const output of given) {
              const expected = oracle(asParsed(output));
              expect((await here.check(JSON.stringify(output))).valid).toBe(expected);
              expect((await there.check(JSON.stringify(output))).valid).toBe(expected);
            }
          },
        ),
        { numRuns: 60 },
      );
    },
  );

  it('exists for any schema and any output, or the schema is refused', async () => {
    const keywords = [
      'type',
      'properties',
      'items',
      '$ref',
      'enum',
      'pattern',
      'format',
      'allOf',
      '$id',
      '$async',
      'id',
      'nullable',
    ];
    const anySchema = fc.oneof(
      schemas,
      fc.dictionary(fc.constantFrom(...keywords), fc.oneof(outputs, schemas, fc.constant('#')), {
        maxKeys: 4,
      }) as fc.Arbitrary<JsonObject>,
      outputs,
    );
    await fc.assert(
      fc.asyncProperty(
        anySchema,
        fc.oneof(
          outputs.map((value) => JSON.stringify(value)),
          fc.string(),
        ),
        async (schema, text) => {
          try {
            const result = await (await validation.prepare(schema)).check(text);
            expect(typeof result.valid).toBe('boolean');
          } catch (error) {
            expect(error).toMatchObject({ code: 'invalid_json_schema', status: 400 });
          }
        },
      ),
      { numRuns: 150 },
    );
  });

  it('on text with a schema that allows everything is valid exactly where the text is JSON', async () => {
    const all = await validation.prepare(true);
    const isJson = (text: string) => {
      try {
        JSON.parse(text);
        return true;
      } catch {
        return false;
      }
    };
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.string(), fc.json()), async (text) => {
        expect((await all.check(text)).valid).toBe(isJson(text));
      }),
    );
  });
});

describe('a pattern in linear time', () => {
  const atoms = fc.constantFrom(
    'a',
    'b',
    '.',
    '\\d',
    '\\w',
    '\\s',
    '\\S',
    '[a-c]',
    '[^a]',
    '[\\s1]',
    '\\u0061',
    '\\p{L}',
    '\\b',
    '^',
    '$',
    '\\.',
    '😀',
    '[^\\d]',
  );
  const quantifiers = fc.constantFrom('', '', '', '*', '+', '?', '{1,2}', '*?');
  const sources = fc.letrec<{ source: string }>((tie) => ({
    source: fc.oneof(
      { maxDepth: 3 },
      atoms,
      fc.tuple(tie('source'), tie('source')).map(([left, right]) => left + right),
      fc.tuple(tie('source'), tie('source')).map(([left, right]) => `(?:${left}|${right})`),
      fc.tuple(tie('source'), quantifiers).map(([inner, quantifier]) => `(${inner})${quantifier}`),
    ),
  })).source;
  const texts = fc.string({
    unit: fc.constantFrom('a', 'b', 'c', '1', ' ', '.', '\n', '\u00a0', '\u2028', 'é', '😀'),
  });

  it('finds what the native engine finds', () => {
    fc.assert(
      fc.property(sources, texts, (source, text) => {
        const native = new RegExp(source, 'u');
        expect(RE2JS.compile(translatePattern(source)).test(text)).toBe(native.test(text));
      }),
      { numRuns: 1_000 },
    );
  });

  it('can be made of any valid pattern, or is reported as impossible', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'ab\\d[]()*+?{}1,^$|.-:=!<>pu') }), (source) => {
        try {
          new RegExp(source, 'u');
        } catch {
          return;
        }
        try {
          translatePattern(source);
        } catch (error) {
          expect(error).toBeInstanceOf(NotTranslatable);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});
