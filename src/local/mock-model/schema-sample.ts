import { isJsonObject, type JsonObject, type JsonValue, keyOfToken } from '../../core/json.js';

const MAX_DEPTH = 12;

const FORMATS: Record<string, string> = {
  date: '2026-01-31',
  'date-time': '2026-01-31T12:00:00Z',
  time: '12:00:00Z',
  email: 'someone@example.com',
  uri: 'https://example.com/',
  uuid: '00000000-0000-4000-8000-000000000000',
  ipv4: '192.0.2.1',
};

/**
 * A value that matches the schema. It supports the usual keywords of structured output: types, properties, items,
 * enum, const, anyOf, bounds, formats and local references. Strings without further rules contain `text`.
 */
export function sampleOf(schema: JsonObject, text: string): JsonValue {
  return sample(schema, { root: schema, text }, 0);
}

interface Setting {
  root: JsonObject;
  text: string;
}

function sample(schema: JsonValue | undefined, setting: Setting, depth: number): JsonValue {
  if (!isJsonObject(schema) || depth > MAX_DEPTH) return null;
  if (schema.const !== undefined) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum[0] ?? null;
  if (typeof schema.$ref === 'string') return sample(resolve(schema.$ref, setting.root), setting, depth + 1);
  for (const keyword of ['anyOf', 'oneOf', 'allOf']) {
    const choices = schema[keyword];
    // The last alternative is used, because it is usually null or a simple type. The first may refer to the schema
    // itself without end.
    if (Array.isArray(choices))
      return sample(depth < MAX_DEPTH / 2 ? choices[0] : choices.at(-1), setting, depth + 1);
  }
  switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
    case 'string':
      return sampleString(schema, setting.text);
    case 'number':
    case 'integer':
      return sampleNumber(schema);
    case 'boolean':
      return true;
    case 'null':
      return null;
    case 'array':
      return sampleArray(schema, setting, depth);
    default:
      // An object, or a schema without a type.
      return sampleObject(schema, setting, depth);
  }
}

function sampleString(schema: JsonObject, text: string): string {
  if (typeof schema.format === 'string' && schema.format in FORMATS) return FORMATS[schema.format] as string;
  const minimum = typeof schema.minLength === 'number' ? schema.minLength : 0;
  const maximum = typeof schema.maxLength === 'number' ? schema.maxLength : text.length;
  return text.slice(0, Math.max(minimum, maximum)).padEnd(minimum, '.');
}

function sampleNumber(schema: JsonObject): number {
  if (typeof schema.minimum === 'number') return Math.ceil(schema.minimum);
  if (typeof schema.exclusiveMinimum === 'number') return Math.floor(schema.exclusiveMinimum) + 1;
  if (typeof schema.maximum === 'number') return Math.min(1, Math.floor(schema.maximum));
  return 1;
}

function sampleArray(schema: JsonObject, setting: Setting, depth: number): JsonValue[] {
  const wanted = typeof schema.minItems === 'number' ? schema.minItems : 1;
  const length = typeof schema.maxItems === 'number' ? Math.min(wanted, schema.maxItems) : wanted;
  return Array.from({ length: depth < MAX_DEPTH / 2 ? length : 0 }, () =>
    sample(schema.items, setting, depth + 1),
  );
}

function sampleObject(schema: JsonObject, setting: Setting, depth: number): JsonObject {
  if (!isJsonObject(schema.properties)) return {};
  const entries = Object.entries(schema.properties);
  return Object.fromEntries(entries.map(([key, value]) => [key, sample(value, setting, depth + 1)]));
}

function resolve(reference: string, root: JsonObject): JsonValue | undefined {
  let found: JsonValue | undefined = root;
  for (const step of reference.split('/').slice(1)) {
    const key = keyOfToken(decodeURIComponent(step));
    found = isJsonObject(found) ? found[key] : undefined;
  }
  return found;
}
