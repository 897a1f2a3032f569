import {
  isJsonObject,
  type JsonDocument,
  type JsonObject,
  type JsonValue,
  parseJson,
} from '../../core/json.js';

/** A document of JSON text whose value is an object, else undefined. */
export function parseDocument(text: string): JsonDocument | undefined {
  const value = parseJson(text);
  return isJsonObject(value) ? { text, value } : undefined;
}

export function asObject(value: JsonValue | undefined): JsonObject | undefined {
  return isJsonObject(value) ? value : undefined;
}

export function asArray(value: JsonValue | undefined): JsonValue[] {
  return Array.isArray(value) ? value : [];
}

/** The objects of an array; other items are skipped. */
export function asObjects(value: JsonValue | undefined): JsonObject[] {
  return asArray(value).filter(isJsonObject);
}

export function asString(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

export function asNumber(value: JsonValue | undefined): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

export function asBoolean(value: JsonValue | undefined): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined;
}

/** The object without members that are undefined. Its names are ours, so none of them is `__proto__`. */
export function dropUndefined<T extends object>(value: { [K in keyof T]: T[K] | undefined }): T {
  const kept: Partial<T> = {};
  for (const name in value) if (value[name] !== undefined) kept[name] = value[name];
  return kept as T;
}

/** The JSON object without members that are undefined. */
export function withoutUndefined(value: Record<string, JsonValue | undefined>): JsonObject {
  return dropUndefined<JsonObject>(value as JsonObject);
}
