import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json.js';
import type { Draft } from './draft.js';
import { walkSchemas } from './schema-walk.js';

/**
 * Rewrites in a schema, in place, what ajv misses when it tracks evaluated properties and items. Schemas without
 * `unevaluatedProperties` and `unevaluatedItems` stay as they are.
 */
export function normalizeUnevaluated(schema: JsonValue, draft: Draft): void {
  let used = false;
  walkSchemas(schema, (part) => {
    used ||= part.unevaluatedProperties !== undefined || part.unevaluatedItems !== undefined;
  });
  if (!used) return;
  walkSchemas(schema, (part) => {
    if (draft === '2020-12') countContained(part);
    spellOutCondition(part);
  });
}

/**
 * ajv counts the properties of an `if` as evaluated even where it failed. Written as alternatives, the two cases are
 * distinguished.
 */
function spellOutCondition(part: JsonObject): void {
  const { if: condition, then: consequence = true, else: alternative = true } = part;
  if (condition === undefined) return;
  delete part.if;
  delete part.then;
  delete part.else;
  const anyOf = [{ allOf: [condition, consequence] }, { allOf: [{ not: condition }, alternative] }];
  part.allOf = [...(Array.isArray(part.allOf) ? part.allOf : []), { anyOf }];
}

/** From 2020-12 on, items that `contains` matched count as evaluated. */
function countContained(part: JsonObject): void {
  const { unevaluatedItems } = part;
  if (unevaluatedItems === undefined) return;
  const contained = containedSchemas(part);
  if (contained.length > 0) part.unevaluatedItems = { anyOf: [...contained, unevaluatedItems] };
}

function containedSchemas(part: JsonObject): JsonValue[] {
  const nested = Array.isArray(part.allOf) ? part.allOf.filter(isJsonObject).flatMap(containedSchemas) : [];
  return part.contains === undefined ? nested : [part.contains, ...nested];
}
