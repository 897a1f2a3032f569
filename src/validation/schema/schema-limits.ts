import { type JsonObject, type JsonValue, pointerToken } from '../../core/json.js';
import { clip } from '../describe-errors.js';

/** The most levels of JSON in a schema. One level of nested objects in an output takes two. */
export const MAX_SCHEMA_DEPTH = 200;
export const MAX_SCHEMA_REFERENCES = 4096;
/** The least bytes per value: a schema of the largest size may have one value for every so many bytes. */
const BYTES_PER_NODE = 4;

export interface LimitProblem {
  path: string;
  message: string;
}

/** A list or object that is still to be examined, and its path. */
interface Open {
  value: JsonObject | JsonValue[];
  depth: number;
  key: string | number;
  parent: Open | undefined;
}

/**
 * Finds where a schema is too large or too deep, in time limited by the limits and without recursion, because the
 * schema can be as large and deep as a request's body.
 */
export function findLimitProblem(schema: JsonValue, schemaBytes: number): LimitProblem | undefined {
  if (!isContainer(schema)) return undefined;
  const open: Open[] = [{ value: schema, depth: 1, key: '', parent: undefined }];
  let nodes = 0;
  let characters = 0;
  let references = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, depth } = next;
    if (depth > MAX_SCHEMA_DEPTH) return problemAt(next, `nested deeper than ${MAX_SCHEMA_DEPTH} levels`);
    const keys = Array.isArray(value) ? undefined : Object.keys(value);
    const length = keys?.length ?? (value as JsonValue[]).length;
    nodes += length;
    if (nodes * BYTES_PER_NODE > schemaBytes) return problemAt(next, tooMany(schemaBytes));
    for (let at = 0; at < length; at++) {
      const key = keys?.[at] ?? at;
      const child = (value as JsonObject)[key] as JsonValue;
      if (typeof key === 'string') {
        characters += key.length + 3;
        if (isReference(key)) references++;
      }
      characters += typeof child === 'string' ? child.length + 2 : 1;
      if (isContainer(child)) open.push({ value: child, depth: depth + 1, key, parent: next });
    }
    if (characters > schemaBytes) return tooLarge(schemaBytes);
    if (references > MAX_SCHEMA_REFERENCES) {
      return problemAt(next, `more than ${MAX_SCHEMA_REFERENCES} references`);
    }
  }
  return undefined;
}

function isContainer(value: JsonValue): value is JsonObject | JsonValue[] {
  return typeof value === 'object' && value !== null;
}

export function tooLarge(schemaBytes: number): LimitProblem {
  return { path: '', message: `larger than ${schemaBytes} bytes` };
}

function tooMany(schemaBytes: number): string {
  return `more than ${Math.floor(schemaBytes / BYTES_PER_NODE)} values`;
}

function isReference(key: string): boolean {
  return key === '$ref' || key === '$dynamicRef' || key === '$recursiveRef';
}

/** The problem at a place. The beginning of a path with two hundred levels is enough. */
function problemAt(place: Open, message: string): LimitProblem {
  const tokens: string[] = [];
  for (let at = place; at.parent !== undefined; at = at.parent)
    tokens.push(`/${pointerToken(String(at.key))}`);
  return { path: clip(tokens.reverse().join(''), 200), message };
}
