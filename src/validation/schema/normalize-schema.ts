import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json.js';
import { DRAFTS, type Draft } from './draft.js';
import { Refusal } from './refusal.js';
import { walkSchemas } from './schema-walk.js';

/**
 * Rewrites in a schema, in place, what ajv reads otherwise than the drafts do, so that it means what the
 * client's own validator makes of it. The official suite shows each of these. Throws a `Refusal`.
 */
export function normalizeSchema(schema: JsonValue, draft: Draft): void {
  if (isJsonObject(schema) && schema.$schema !== undefined) schema.$schema = DRAFTS[draft];
  const anchors = countDynamicAnchors(schema);
  walkSchemas(schema, (part, pointer) => {
    // Would make a check that answers with a promise, which is true whatever it resolves to.
    delete part.$async;
    // Would be an error where no `type` stands beside it.
    if (part.type === undefined) delete part.nullable;
    if (draft === '07') ignoreBesideReference(part);
    replaceEmptyEnum(part);
    movePrototypeProperty(part);
    if (draft === '07') return;
    resolveDynamicReference(part, pointer, anchors);
    moveReferenceOfResource(part);
  });
}

/** Draft 07 has nothing beside a reference. An option of ajv says so too, but does not reach these. */
function ignoreBesideReference(part: JsonObject): void {
  if (typeof part.$ref !== 'string') return;
  delete part.$id;
  delete part.type;
  delete part.nullable;
}

/** By the drafts nothing is valid for an empty `enum`, which ajv refuses; `false` says the same. */
function replaceEmptyEnum(part: JsonObject): void {
  if (!Array.isArray(part.enum) || part.enum.length > 0) return;
  delete part.enum;
  addToAllOf(part, false);
}

/** ajv leaves a property of this name unchecked; as a pattern it is checked like any other. */
const PROTOTYPE = '__proto__';

function movePrototypeProperty(part: JsonObject): void {
  const { properties } = part;
  if (!isJsonObject(properties) || !Object.hasOwn(properties, PROTOTYPE)) return;
  const patterns = isJsonObject(part.patternProperties) ? part.patternProperties : {};
  part.patternProperties = { ...patterns, [`^${PROTOTYPE}$`]: properties[PROTOTYPE] as JsonValue };
  delete properties[PROTOTYPE];
}

/**
 * ajv resolves few dynamic references rightly. With one possible target they are plain references; with more
 * the schema is refused, since a wrong judgement would be worse.
 */
function resolveDynamicReference(
  part: JsonObject,
  pointer: string,
  anchors: ReadonlyMap<string, number>,
): void {
  const reference = part.$dynamicRef;
  if (typeof reference !== 'string') return;
  if ((anchors.get(reference.slice(reference.indexOf('#') + 1)) ?? 0) > 1) {
    throw new Refusal(`${pointer}/$dynamicRef`, 'has several possible targets, which is not supported');
  }
  delete part.$dynamicRef;
  if (part.$ref === undefined) part.$ref = reference;
  else addToAllOf(part, { $ref: reference });
}

/** ajv follows a reference that stands beside an `$id` without end. */
function moveReferenceOfResource(part: JsonObject): void {
  if (typeof part.$id !== 'string' || part.$ref === undefined) return;
  addToAllOf(part, { $ref: part.$ref });
  delete part.$ref;
}

function addToAllOf(part: JsonObject, schema: JsonObject | boolean): void {
  if (part.allOf === undefined) part.allOf = [schema];
  else if (Array.isArray(part.allOf)) part.allOf.push(schema);
}

function countDynamicAnchors(schema: JsonValue): Map<string, number> {
  const counts = new Map<string, number>();
  walkSchemas(schema, ({ $dynamicAnchor: anchor }) => {
    if (typeof anchor === 'string') counts.set(anchor, (counts.get(anchor) ?? 0) + 1);
  });
  return counts;
}
