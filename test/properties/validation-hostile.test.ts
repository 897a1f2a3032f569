import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../src/core/json.js';
import { createOutputValidation } from '../../src/validation/create-output-validation.js';

/** The deadlines of production, so that what never ends is ended. */
const validation = createOutputValidation({ schemaBytes: 262_144 });
afterAll(() => validation.close());

const HONEST: JsonValue = {
  type: 'object',
  properties: { a: { type: 'string', pattern: '^x' } },
  required: ['a'],
};

// Its compile would else wait behind that of the hostile ones.
beforeAll(async () => {
  await validation.prepare(HONEST);
});

/** References to a next one, twice in each: 2^levels checks of one value. */
function doubling(levels: number): JsonObject {
  const $defs: JsonObject = { a0: { type: 'string' } };
  for (let at = 1; at <= levels; at++) {
    const $ref = `#/$defs/a${at - 1}`;
    $defs[`a${at}`] = { allOf: [{ $ref }, { $ref }] };
  }
  return { $ref: `#/$defs/a${levels}`, $defs };
}

function nested(levels: number): JsonValue {
  let schema: JsonValue = {};
  for (let level = 0; level < levels; level++) schema = { items: schema };
  return schema;
}

const values = (count: number) => Array.from({ length: count }, (_, at) => `v${at}`);
const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
const text = (length: number) => JSON.stringify(`${'a'.repeat(length)}!`);

/** What happens to an output: undefined where the schema is refused. */
async function judge(schema: JsonValue, output: string) {
  const prepared = await validation.prepare(schema).catch((error: unknown) => {
    expect(error).toMatchObject({ code: 'invalid_json_schema', status: 400 });
    return undefined;
  });
  return prepared?.check(output);
}

describe('a hostile schema is refused with its place', () => {
  it.each<[string, JsonValue, string, RegExp]>([
    ['100,000 levels', nested(100_000), '/items/items', /nested deeper than 200 levels/],
    ['8 MiB', { enum: values(800_000) }, '/enum', /more than 65536 values/],
    ['300 KiB of text', { description: 'x'.repeat(300_000) }, '', /larger than 262144 bytes/],
    ['300 KiB in few characters', { description: '€'.repeat(100_000) }, '', /larger than 262144 bytes/],
    [
      'a remote reference',
      { items: { $ref: 'http://127.0.0.1:1/s.json' } },
      '/items/$ref',
      /nothing is fetched/,
    ],
    ['a file', { items: { $ref: 'file:///etc/passwd' } }, '/items/$ref', /nothing is fetched/],
    ['a remote dynamic reference', { $dynamicRef: 'http://127.0.0.1:1/s#a' }, '/$ref', /nothing is fetched/],
    [
      'a name of the engine',
      { properties: { a: { $ref: 'constructor' } } },
      '/properties/a',
      /not in this schema/,
    ],
    ['a reference to nothing', { anyOf: [{ $ref: '#/$defs/none' }] }, '/anyOf/0/$ref', /not in this schema/],
    ['a ring', { $ref: '#' }, '', /endless loop/],
    [
      'a wide ring',
      { $defs: { a: { anyOf: [{ $ref: '#/$defs/b' }] }, b: { $ref: '#/$defs/a' } } },
      '/$defs/a',
      /endless loop/,
    ],
    [
      'draft 04',
      { $schema: 'http://json-schema.org/draft-04/schema#' },
      '/$schema',
      /2020-12 .*2019-09 and 07/,
    ],
    [
      'a broken pattern',
      { properties: { a: { pattern: '(' } } },
      '/properties/a/pattern',
      /regular expression/,
    ],
    ['a wrong type', { properties: { a: { type: 'text' } } }, '/properties/a/type', /allowed values/],
    ['no schema at all', 'string', '', /must be an object or a boolean/],
  ])('%s', async (_, schema, path, message) => {
    const error = await validation.prepare(schema).catch((caught: unknown) => caught);
    expect(error).toMatchObject({
      code: 'invalid_json_schema',
      status: 400,
      details: [{ path: expect.stringContaining(path), message: expect.stringMatching(message) }],
    });
  });
});

describe('a hostile output is validated', () => {
  it.each<[string, JsonValue, string]>([
    ['100,000 levels for a tree', { type: 'array', items: { $ref: '#' } }, deep(100_000)],
    ['100,000 levels where anything goes', true, deep(100_000)],
    ['100,000 levels that do not end', true, '['.repeat(100_000)],
    ['100,000 levels twice, to be told apart', { uniqueItems: true }, `[${deep(100_000)},${deep(100_000)}]`],
    ['a long text for a nested repetition', { pattern: '^(a+)+$' }, text(30_000)],
    [
      'one for a linear pattern with many states',
      { pattern: '[ab]*a[ab]{30}c' },
      JSON.stringify(`c${'ab'.repeat(20_000)}`),
    ],
    ['a long address', { format: 'email' }, JSON.stringify(`${'a'.repeat(20_000)}@${'a.'.repeat(20_000)}`)],
    ['a long URL', { format: 'url' }, JSON.stringify(`http://${':'.repeat(20_000)}`)],
    ['an enum of 256 KiB', { enum: values(29_000) }, '"v28999"'],
  ])('%s', async (_, schema, output) => {
    expect(await judge(schema, output)).toHaveProperty('valid');
  });

  it.each<[string, JsonValue, string]>([
    ['a nested repetition with a lookahead', { pattern: '^(?=a)(a+)+$' }, text(40)],
    [
      'the same under a key that the model chose',
      { patternProperties: { '^(?=a)(a+)+$': true } },
      `{${text(40)}:1}`,
    ],
    ['references that double 60 times', doubling(60), '"x"'],
    [
      '40,000 objects to be told apart',
      { uniqueItems: true },
      JSON.stringify(values(40_000).map((v) => ({ v }))),
    ],
  ])('as invalid where it takes too long: %s', async (_, schema, output) => {
    let honestDone = false;
    const hostile = judge(schema, output).then((result) => ({ result, honestDone }));
    for (let round = 0; round < 20; round++) {
      expect(await judge(HONEST, '{"a":"xy"}')).toEqual({ valid: true });
    }
    honestDone = true;
    expect(await hostile).toMatchObject({
      result: { valid: false, message: expect.stringMatching(/could not be checked in \d+ ms/) },
      // All the others were answered while this one was still being worked on.
      honestDone: true,
    });
  });

  it('without blocking the event loop', async () => {
    let turns = 0;
    let running = true;
    const turn = () => {
      turns++;
      if (running) setImmediate(turn);
    };
    setImmediate(turn);
    const result = await judge({ pattern: '^(?=b|a)(a+)+$' }, text(40));
    running = false;
    expect(result?.valid).toBe(false);
    expect(turns).toBeGreaterThan(10);
  });

  it('again and again, without wearing out the threads', async () => {
    for (let round = 0; round < 5; round++) {
      const schema = { pattern: `^(?=a)(a+)+${round}$` };
      expect(await judge(schema, text(40))).toMatchObject({ valid: false });
      expect(await judge(schema, text(40))).toMatchObject({ valid: false });
      expect(await judge(schema, JSON.stringify(`aaa${round}`))).toEqual({ valid: true });
    }
  });
});

it('refuses schemas as overloaded where too many wait to be compiled, and compiles the others', async () => {
  const schemas = values(400).map((name): JsonValue => ({ properties: { [name]: { type: 'string' } } }));
  const prepared = await Promise.allSettled(schemas.map((schema) => validation.prepare(schema)));
  const reasons = prepared.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  expect(reasons.length).toBeGreaterThan(100);
  expect(reasons.length).toBeLessThan(200);
  expect(new Set(reasons.map(({ code, status }) => `${status} ${code}`))).toEqual(
    new Set(['503 overloaded']),
  );
});
