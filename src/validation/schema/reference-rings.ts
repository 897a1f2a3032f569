import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json.js';
import { append } from '../../core/lists/append.js';
import { resolvePointer } from './json-pointer.js';

/** Keywords whose schemas apply to the same place of the output as their own schema. */
const SAME_PLACE = ['not', 'if', 'then', 'else'];
const SAME_PLACE_LISTS = ['allOf', 'anyOf', 'oneOf'];
const SAME_PLACE_MAPS = ['dependentSchemas', 'dependencies'];

/**
 * Finds a cycle of references that never moves to another place of the output, so that validation would not end. `schemas`
 * are all schemas of `root` with their pointers. Returns the pointer of one schema in a cycle.
 */
export function findReferenceRing(
  root: JsonValue,
  schemas: ReadonlyMap<JsonObject, string>,
): string | undefined {
  const done = new Set<JsonObject>();
  const open = new Set<JsonObject>();

  function visit(value: JsonValue | undefined): JsonObject | undefined {
    if (!isJsonObject(value) || done.has(value)) return undefined;
    if (open.has(value)) return value;
    open.add(value);
    for (const next of samePlace(value, root)) {
      const found = visit(next);
      if (found !== undefined) return found;
    }
    open.delete(value);
    done.add(value);
    return undefined;
  }

  for (const schema of schemas.keys()) {
    const found = visit(schema);
    if (found !== undefined) return schemas.get(found) ?? schemas.get(schema);
  }
  return undefined;
}

function samePlace(schema: JsonObject, root: JsonValue): (JsonValue | undefined)[] {
  const next = SAME_PLACE.map((keyword) => schema[keyword]);
  for (const keyword of SAME_PLACE_LISTS) {
    const list = schema[keyword];
    if (Array.isArray(list)) append(next, list);
  }
  for (const keyword of SAME_PLACE_MAPS) {
    const map = schema[keyword];
    if (isJsonObject(map)) append(next, Object.values(map));
  }
  if (typeof schema.$ref === 'string') next.push(resolvePointer(root, schema.$ref));
  return next;
}
