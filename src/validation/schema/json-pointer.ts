import { type JsonObject, type JsonValue, keyOfToken } from '../../core/json.js';

/** The target of a reference of the form `#` or `#/a/b`, or undefined for another reference. */
export function resolvePointer(root: JsonValue, reference: string): JsonValue | undefined {
  if (reference !== '#' && !reference.startsWith('#/')) return undefined;
  let value: JsonValue | undefined = root;
  for (const token of reference.split('/').slice(1)) {
    const key = decodeToken(token);
    if (typeof value !== 'object' || value === null || key === undefined || !Object.hasOwn(value, key)) {
      return undefined;
    }
    value = (value as JsonObject)[key];
  }
  return value;
}

function decodeToken(token: string): string | undefined {
  try {
    return keyOfToken(decodeURIComponent(token));
  } catch {
    return undefined;
  }
}
