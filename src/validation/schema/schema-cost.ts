import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json.js';
import { resolvePointer } from './json-pointer.js';

/** Counting stops at this number, because larger ones mean the same for every decision. */
const ENOUGH = 1_000_000;

/**
 * Counts the nodes of a schema with every reference replaced by its target. Infinite where a reference leads back to
 * itself, or is not a plain pointer into this schema.
 */
export function unfoldedNodes(schema: JsonValue): number {
  const counted = new Map<JsonValue, number>();

  function count(value: JsonValue): number {
    if (typeof value !== 'object' || value === null) return 1;
    const known = counted.get(value);
    if (known !== undefined) return known;
    // Where a schema is reached again during its own count, the references form a cycle.
    counted.set(value, Number.POSITIVE_INFINITY);
    let nodes = 1;
    for (const child of Object.values(value)) nodes += count(child);
    if (isJsonObject(value)) nodes += countReference(value);
    const bounded = nodes > ENOUGH ? Number.POSITIVE_INFINITY : nodes;
    counted.set(value, bounded);
    return bounded;
  }

  function countReference(value: JsonObject): number {
    if (value.$dynamicRef !== undefined || value.$recursiveRef !== undefined) return Number.POSITIVE_INFINITY;
    // Inside a part with its own id, pointers start at that part.
    if (typeof value.$id === 'string' && value !== schema) return Number.POSITIVE_INFINITY;
    if (typeof value.$ref !== 'string') return 0;
    const target = resolvePointer(schema, value.$ref);
    return target === undefined ? Number.POSITIVE_INFINITY : count(target);
  }

  return count(schema);
}
