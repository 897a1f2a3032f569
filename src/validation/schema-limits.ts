import type { JsonValue } from '../core/json.js';
import { pointerToken } from './json-pointer.js';

/** Levels of JSON in a schema; a level of nested objects in an output takes two. */
export const MAX_SCHEMA_DEPTH = 200;
export const MAX_SCHEMA_REFERENCES = 4096;
/** Of a schema at its largest, one value for every so many bytes. */
const BYTES_PER_NODE = 4;

export interface LimitProblem {
  path: string;
  message: string;
}

interface Open {
  value: JsonValue;
  depth: number;
  pointer: string;
}

/**
 * Finds where a schema is too large or too deep, in time bounded by the limits and without recursion, since
 * the schema can be as large and deep as a request's body.
 */
export function findLimitProblem(schema: JsonValue, schemaBytes: number): LimitProblem | undefined {
  const open: Open[] = [{ value: schema, depth: 1, pointer: '' }];
  let nodes = 0;
  let characters = 0;
  let references = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, depth, pointer } = next;
    nodes++;
    characters += typeof value === 'string' ? value.length + 2 : 1;
    if (characters > schemaBytes) return tooLarge(schemaBytes);
    if (nodes > schemaBytes / BYTES_PER_NODE) return { path: '', message: tooMany(schemaBytes) };
    if (typeof value !== 'object' || value === null) continue;
    if (depth > MAX_SCHEMA_DEPTH) {
      return { path: shortened(pointer), message: `is nested deeper than ${MAX_SCHEMA_DEPTH} levels` };
    }
    for (const key in value) {
      characters += Array.isArray(value) ? 0 : key.length + 3;
      if (characters > schemaBytes) return tooLarge(schemaBytes);
      if (isReference(key) && ++references > MAX_SCHEMA_REFERENCES) {
        return { path: shortened(pointer), message: `has more than ${MAX_SCHEMA_REFERENCES} references` };
      }
      const child = (value as Record<string, JsonValue>)[key] as JsonValue;
      open.push({ value: child, depth: depth + 1, pointer: `${pointer}/${pointerToken(key)}` });
    }
  }
  return undefined;
}

export function tooLarge(schemaBytes: number): LimitProblem {
  return { path: '', message: `is larger than ${schemaBytes} bytes` };
}

function tooMany(schemaBytes: number): string {
  return `has more than ${Math.floor(schemaBytes / BYTES_PER_NODE)} values`;
}

function isReference(key: string): boolean {
  return key === '$ref' || key === '$dynamicRef' || key === '$recursiveRef';
}

/** The start of a place that is two hundred levels down tells enough. */
function shortened(pointer: string): string {
  return pointer.length <= 200 ? pointer : `${pointer.slice(0, 200)}…`;
}
