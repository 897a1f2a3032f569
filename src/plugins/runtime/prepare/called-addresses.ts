import { isJsonObject, type JsonObject, type JsonValue } from '../../../core/json.js';

/**
 * A keyword in a plugin's `configSchema` that says whether the plugin calls the URL in this place. Every string with
 * the format `uri` counts as called, unless the keyword is false, as for a link that is only shown.
 */
const CALLED_KEYWORD = 'x-sluice-called';

export interface CalledAddress {
  path: (string | number)[];
  url: string;
}

/** The URLs in a configuration that the engine will call, according to the plugin's schema. */
export function calledAddresses(config: JsonObject, schema: JsonObject): CalledAddress[] {
  const found: CalledAddress[] = [];
  visit(config, schema, [], found);
  return found;
}

const COMBINED = ['allOf', 'anyOf', 'oneOf', 'if', 'then', 'else'];

function visit(
  value: JsonValue,
  schema: JsonValue | undefined,
  path: CalledAddress['path'],
  found: CalledAddress[],
) {
  if (!isJsonObject(schema)) return;
  if (
    typeof value === 'string' &&
    isCalled(schema) &&
    !found.some((known) => known.path.join('.') === path.join('.'))
  ) {
    found.push({ path, url: value });
  }
  for (const keyword of COMBINED) {
    const parts = schema[keyword];
    for (const part of Array.isArray(parts) ? parts : [parts]) visit(value, part, path, found);
  }
  if (Array.isArray(value)) {
    const first = Array.isArray(schema.prefixItems) ? schema.prefixItems : [];
    for (const [index, item] of value.entries()) {
      visit(item, first[index] ?? schema.items, [...path, index], found);
    }
  } else if (isJsonObject(value)) {
    for (const [key, member] of Object.entries(value)) {
      for (const part of schemasOf(schema, key)) visit(member, part, [...path, key], found);
    }
  }
}

function isCalled(schema: JsonObject): boolean {
  return schema[CALLED_KEYWORD] === true || (schema.format === 'uri' && schema[CALLED_KEYWORD] !== false);
}

function schemasOf({ properties, patternProperties, additionalProperties }: JsonObject, key: string) {
  const own = isJsonObject(properties) && Object.hasOwn(properties, key) ? [properties[key]] : [];
  const patterns = isJsonObject(patternProperties) ? Object.values(patternProperties) : [];
  return own.length > 0 ? own : [...patterns, additionalProperties];
}
