import type { Static, TObject, TProperties, TSchema } from 'typebox';
import { Type } from '../../core/schema-type.js';

/** An object with these fields and no others. */
export function strictObject<Properties extends TProperties>(properties: Properties, options: object = {}) {
  return Type.Object(properties, { ...options, additionalProperties: false });
}

export function oneOf<const Values extends readonly string[]>(values: Values, options: object = {}) {
  return Type.Unsafe<Values[number]>({ type: 'string', enum: [...values], ...options });
}

/**
 * The body of a PUT. It may also have the read-only fields of a GET, so that an entry can be sent back as it was
 * read; they are ignored. Fields of the path are not needed in the body.
 */
export function withReadOnly(schema: TObject, shown: TProperties, inPath?: string): TObject {
  const readOnly = Object.entries(shown).map(([name, of]) => [name, { ...of, readOnly: true }]);
  return Object.assign({}, schema, {
    properties: { ...schema.properties, ...Object.fromEntries(readOnly) },
    required: schema.required.filter((name: string) => name !== inPath),
  });
}

/** The body without its read-only members. */
export function withoutReadOnly(body: object, { properties }: TObject): object {
  const isRead = (name: string) => (properties[name] as { readOnly?: true }).readOnly !== undefined;
  return Object.fromEntries(Object.entries(body).filter(([name]) => !isRead(name)));
}

export function nullable<Schema extends TSchema>(schema: Schema) {
  return Type.Union([schema, Type.Null()]);
}

export const uuid = (description: string) =>
  Type.String({
    pattern: '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$',
    description,
  });

export const moment = (description: string) => Type.String({ format: 'date-time', description });

/** Any JSON object, whatever its keys. */
export const jsonObject = (description: string) =>
  Type.Unsafe<import('../../core/json.js').JsonObject>({ type: 'object', description });

export const projectUid = Type.String({ description: 'The uid of the project.' });

const error = Type.Object(
  {
    error: Type.Object({
      message: Type.String(),
      type: Type.String(),
      param: nullable(Type.String()),
      code: Type.String({ description: 'Stable, for programs.' }),
      details: Type.Array(Type.Object({ path: Type.String(), message: Type.String() }), {
        description: 'All that was wrong, by field.',
      }),
    }),
  },
  { $id: 'Error', description: 'What went wrong.' },
);

/** A reference to a schema that the description contains once, under its `$id`. */
export function reference<Schema extends TSchema>(schema: Schema) {
  return Type.Unsafe<Static<Schema>>({ $ref: `${(schema as { $id?: string }).$id}#` });
}

/** Schemas that many routes share; registered with the server once. */
export const sharedSchemas: TSchema[] = [error];

export const errorResponses = { '4xx': reference(error), '5xx': reference(error) } as const;

export function page<Item extends TSchema>(item: Item) {
  return Type.Object({
    data: Type.Array(item),
    next_cursor: nullable(Type.String({ description: 'For the next page; null where there is none.' })),
  });
}

export const cursorParameter = Type.Optional(
  Type.String({
    pattern: '^[A-Za-z0-9_-]{1,100000}$',
    description: 'The `next_cursor` of the page before.',
  }),
);

export const limitParameter = Type.Optional(
  Type.Integer({ minimum: 1, maximum: 200, default: 50, description: 'How many to show at most.' }),
);

/** A list that is answered completely. */
export function list<Item extends TSchema>(item: Item) {
  return Type.Object({ data: Type.Array(item), next_cursor: Type.Null() });
}

export const line = (description: string) =>
  Type.String({ minLength: 1, maxLength: 256, pattern: '^[^\\u0000-\\u001f\\u007f]+$', description });

export const managedBy = oneOf(['file', 'api'], {
  description: 'Where it is changed: in sluice.yaml, or here.',
});
