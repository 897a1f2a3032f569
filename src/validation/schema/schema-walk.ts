import { isJsonObject, type JsonObject, type JsonValue, pointerToken } from '../../core/json.js';

/** Where a keyword contains schemas: in itself, in a list, or under any key. */
const SINGLE = [
  'not',
  'if',
  'then',
  'else',
  'items',
  'contains',
  'additionalItems',
  'additionalProperties',
  'unevaluatedItems',
  'unevaluatedProperties',
  'propertyNames',
  'contentSchema',
];
const LISTS = ['allOf', 'anyOf', 'oneOf', 'prefixItems', 'items'];
const MAPS = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas', 'dependencies'];

/** Calls `visit` for a schema and each schema inside it, in the places where the drafts allow schemas. */
export function walkSchemas(
  schema: JsonValue,
  visit: (schema: JsonObject, pointer: string) => void,
  pointer = '',
): void {
  if (!isJsonObject(schema)) return;
  visit(schema, pointer);
  for (const keyword of SINGLE) walkMember(schema, keyword);
  for (const keyword of LISTS) {
    const list = member(schema, keyword);
    if (!Array.isArray(list)) continue;
    for (const [at, item] of list.entries()) walkSchemas(item, visit, `${pointer}/${keyword}/${at}`);
  }
  for (const keyword of MAPS) {
    const map = member(schema, keyword);
    if (!isJsonObject(map)) continue;
    for (const key of Object.keys(map)) {
      walkSchemas(map[key] as JsonValue, visit, `${pointer}/${keyword}/${pointerToken(key)}`);
    }
  }

  function walkMember(parent: JsonObject, keyword: string): void {
    const value = member(parent, keyword);
    if (value !== undefined) walkSchemas(value, visit, `${pointer}/${keyword}`);
  }
}

function member(schema: JsonObject, keyword: string): JsonValue | undefined {
  return Object.hasOwn(schema, keyword) ? schema[keyword] : undefined;
}
