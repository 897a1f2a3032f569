import type { JsonObject, JsonValue } from '../../core/json.js';

/*
 * The API accepts each member under its camelCase and its snake_case name, as all JSON of Google does (protobuf's
 * JSON mapping). In this code names are camelCase, and these functions find either.
 */

export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** The name under which an object has this member; the camelCase one where it has neither. */
export function keyOf(object: JsonObject, name: string): string {
  if (Object.hasOwn(object, name)) return name;
  const snake = snakeCase(name);
  return Object.hasOwn(object, snake) ? snake : name;
}

export function memberOf(object: JsonObject | undefined, name: string): JsonValue | undefined {
  return object?.[keyOf(object, name)];
}

/** An object with each member under both of its names. */
export function inBothCases<Value>(members: Record<string, Value>): Record<string, Value> {
  const entries = Object.entries(members);
  return Object.fromEntries(
    entries.flatMap(([name, check]) => [name, snakeCase(name)].map((key) => [key, check])),
  );
}
