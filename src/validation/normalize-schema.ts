import { isJsonObject, type JsonObject, type JsonValue } from '../core/json.js';
import { DRAFTS, type Draft } from './draft.js';
import { walkSchemas } from './schema-walk.js';

/**
 * Takes out of a schema, in place, what ajv reads otherwise than the drafts do, so that it means what the
 * client's own validator makes of it.
 */
export function normalizeSchema(schema: JsonValue, draft: Draft): void {
  if (isJsonObject(schema) && schema.$schema !== undefined) schema.$schema = DRAFTS[draft];
  walkSchemas(schema, (part) => {
    // To ajv this makes a check that answers with a promise, which is true whatever it resolves to.
    delete part.$async;
    // To ajv this is an error where no `type` stands beside it; to the drafts it is nothing.
    if (part.type === undefined) delete part.nullable;
    movePrototypeProperty(part);
  });
}

/** ajv leaves a property of the name `__proto__` unchecked; as a pattern it is checked like any other. */
function movePrototypeProperty(part: JsonObject): void {
  const { properties } = part;
  if (!isJsonObject(properties) || !Object.hasOwn(properties, '__proto__')) return;
  const value = Object.getOwnPropertyDescriptor(properties, '__proto__')?.value as JsonValue;
  delete properties.__proto__;
  const patterns = isJsonObject(part.patternProperties) ? part.patternProperties : {};
  part.patternProperties = { ...patterns, '^__proto__$': value };
}
