import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json.js';
import { memberOf } from './names.js';

/*
 * The API's own schemas are a subset of OpenAPI 3.0's: types in capitals, `nullable`, and whole numbers as strings.
 */

/** The greatest depth that is converted. Deeper parts stay unchanged, and the check of schemas refuses them. */
const MAX_DEPTH = 64;
const COUNTS = ['minItems', 'maxItems', 'minLength', 'maxLength', 'minProperties', 'maxProperties'];

/** The JSON Schema with the same meaning as a `Schema` of this API. */
function toJsonSchema(schema: JsonValue, depth = 0): JsonValue {
  if (!isJsonObject(schema) || depth > MAX_DEPTH) return schema;
  const written: JsonObject = {};
  const inside = (value: JsonValue) => toJsonSchema(value, depth + 1);
  for (const [name, value] of Object.entries(schema)) {
    if (name === 'nullable' || name === 'propertyOrdering' || name === 'property_ordering') continue;
    written[camelCase(name)] = value;
  }
  if (typeof written.type === 'string') written.type = written.type.toLowerCase();
  if (written.type === 'type_unspecified') delete written.type;
  for (const name of COUNTS) if (typeof written[name] === 'string') written[name] = Number(written[name]);
  if (isJsonObject(written.properties)) {
    const properties = Object.entries(written.properties).map(([name, value]) => [name, inside(value)]);
    written.properties = Object.fromEntries(properties) as JsonObject;
  }
  if (written.items !== undefined) written.items = inside(written.items);
  if (Array.isArray(written.anyOf)) written.anyOf = written.anyOf.map(inside);
  return schema.nullable === true ? orNull(written) : written;
}

function orNull(schema: JsonObject): JsonObject {
  if (Array.isArray(schema.anyOf)) return { ...schema, anyOf: [...schema.anyOf, { type: 'null' }] };
  if (typeof schema.type !== 'string') return schema;
  const written: JsonObject = { ...schema, type: [schema.type, 'null'] };
  if (Array.isArray(schema.enum)) written.enum = [...schema.enum, null];
  return written;
}

function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase());
}

/** Reads a schema that is in one of two members: one for the API's own form, one for JSON Schema. */
export function readSchema(holder: JsonObject, names: { own: string; json: string }): JsonValue | undefined {
  const json = memberOf(holder, names.json);
  if (json !== undefined && json !== null) return json;
  const own = memberOf(holder, names.own);
  return own === undefined || own === null ? undefined : toJsonSchema(own);
}
