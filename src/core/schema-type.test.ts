import { Type as TypeBox } from 'typebox';
import { describe, expect, it } from 'vitest';
import { Type } from './schema-type.js';

/** The same schema by each builder. */
const SCHEMAS = (type: typeof Type): [string, object][] => [
  ['Array', type.Array(type.String(), { minItems: 1 })],
  ['Boolean', type.Boolean({ default: true })],
  ['Enum', type.Enum(['a', 'b'], { description: 'one of two' })],
  ['Integer', type.Integer({ minimum: 1 })],
  ['Literal of a text', type.Literal('tool')],
  ['Literal of a truth value', type.Literal(true, { description: 'yes' })],
  ['Literal of a number', type.Literal(1)],
  ['Null', type.Null({ description: 'nothing' })],
  ['Number', type.Number({ maximum: 2 })],
  ['Object', type.Object({ a: type.String(), b: type.Optional(type.Integer()) }, { $id: 'x' })],
  ['Object without members', type.Object({})],
  ['Object that needs none', type.Object({ a: type.Optional(type.Null()) })],
  ['Optional', type.Optional(type.Union([type.String(), type.Null()]))],
  ['String', type.String({ pattern: '^a$' })],
  ['Union', type.Union([type.Boolean(), type.Null()], { description: 'either' })],
  ['Unknown', type.Unknown({ description: 'anything' })],
  ['Unsafe', type.Unsafe<string>({ type: 'string', enum: ['a'] })],
  ['Unsafe within', type.Object({ a: type.Optional(type.Unsafe<string>({ $ref: 'x#' })) })],
];

describe('the builders of schemas', () => {
  const own = SCHEMAS(Type);
  const theirs = SCHEMAS(TypeBox);

  it.each(own.map(([name, schema], index) => [name, schema, theirs[index]![1]] as const))(
    '%s: give the same schema as typebox, byte by byte',
    (_name, schema, expected) => {
      expect(JSON.stringify(schema)).toBe(JSON.stringify(expected));
    },
  );

  it('do not change a schema that is optional in one place and required in another', () => {
    const name = Type.String();
    Type.Object({ name: Type.Optional(name) });
    expect(Type.Object({ name }).required).toEqual(['name']);
  });
});
