import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json.js';
import { DRAFTS, type Draft } from './draft.js';
import { Refusal } from './refusal.js';
import { walkSchemas } from './schema-walk.js';

/**
 * Rewrites in a schema, in place, what ajv interprets differently from the drafts, so that the schema means what it means for
 * the client's own validator. The official test suite has a case for each. Throws a `Refusal`.
 */
export function normalizeSchema(schema: JsonValue, draft: Draft): void {
  if (isJsonObject(schema) && schema.$schema !== undefined) schema.$schema = DRAFTS[draft];
  const anchors = countDynamicAnchors(schema);
  walkSchemas(schema, (part, pointer) => {
    // `$async` would make the validation return a promise, which is truthy whatever its result is.
    delete part.$async;
    // `nullable` without `type` would be an error.
    if (part.type === undefined) delete part.nullable;
    if (draft === '07') ignoreBesideReference(part);
    replaceEmptyEnum(part);
    movePrototypeProperty(part);
    if (draft === '07') return;
    resolveDynamicReference(part, pointer, anchors);
    moveReferenceOfResource(part);
  });
}

/** Ignores keywords beside a reference, as draft 07 requires. ajv's own option does not cover these. */
function ignoreBesideReference(part: JsonObject): void {
  if (typeof part.$ref !== 'string') return;
  delete part.$id;
  delete part.type;
  delete part.nullable;
}

/** In the drafts an empty `enum` allows nothing. ajv refuses it; `false` means the same. */
function replaceEmptyEnum(part: JsonObject): void {
  if (!Array.isArray(part.enum) || part.enum.length > 0) return;
  delete part.enum;
  addToAllOf(part, false);
}

/** ajv does not validate a property of this name. Written as a pattern, it is validated like any other. */
const PROTOTYPE = '__proto__';

function movePrototypeProperty(part: JsonObject): void {
  const { properties } = part;
  if (!isJsonObject(properties) || !Object.hasOwn(properties, PROTOTYPE)) return;
  const patterns = isJsonObject(part.patternProperties) ? part.patternProperties : {};
  part.patternProperties = { ...patterns, [`^${PROTOTYPE}$`]: properties[PROTOTYPE] as JsonValue };
  delete properties[PROTOTYPE];
}

/**
 * ajv resolves few dynamic references correctly. With one possible target they become plain references; with more the
 * schema is refused, because a wrong result would be worse.
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

/** ajv follows a reference beside an `$id` without end, so the reference is moved. */
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
