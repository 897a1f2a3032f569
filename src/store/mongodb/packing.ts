import { isJsonObject, type JsonValue } from '../../core/json.js';

/*
 * BSON cannot store all JSON: it nests less deep, allows no NUL in keys and no lone surrogates, and the driver takes
 * some objects for its own types. Values that it would not return unchanged are stored as JSON text.
 */

/**
 * The greatest depth of a value in BSON. MongoDB allows 100 levels in a document; the rest is for the levels above the value.
 */
const MAX_DEPTH = 80;

export interface Measure {
  /** Whether BSON returns the value unchanged. */
  faithful: boolean;
  /** An approximate size: UTF-16 units of all texts, and 16 for each value. */
  size: number;
}

export function measure(value: JsonValue): Measure {
  const result = { faithful: true, size: 0 };
  add(value, 0, result);
  return result;
}

function add(value: JsonValue, depth: number, result: Measure): void {
  result.size += 16;
  if (typeof value === 'string') {
    addText(value, result);
  } else if (typeof value === 'object' && value !== null) {
    if (depth >= MAX_DEPTH) {
      result.faithful = false;
      // The size is not computed recursively: deeply nested text must not overflow the stack.
      result.size += JSON.stringify(value).length;
    } else if (Array.isArray(value)) {
      for (const item of value) add(item, depth + 1, result);
    } else {
      if (isDriverType(value)) result.faithful = false;
      for (const key of Object.keys(value)) {
        const member = value[key] as JsonValue;
        // The driver returns an array as bytes where its key is a name that every object inherits.
        if (key.includes('\0') || (key in Object.prototype && Array.isArray(member))) result.faithful = false;
        addText(key, result);
        add(member, depth + 1, result);
      }
    }
  }
}

function addText(text: string, result: Measure): void {
  result.size += text.length;
  if (!text.isWellFormed()) result.faithful = false;
}

/** The driver reads `{$ref, $id}` as a reference, and `_bsontype` as one of its classes. */
function isDriverType(value: object): boolean {
  return Object.hasOwn(value, '_bsontype') || (Object.hasOwn(value, '$ref') && Object.hasOwn(value, '$id'));
}

/** Whether a key anywhere in the value contains NUL, which MongoDB does not allow. */
export function hasNulKey(value: JsonValue): boolean {
  const waiting: JsonValue[] = [value];
  while (waiting.length > 0) {
    const next = waiting.pop() as JsonValue;
    if (Array.isArray(next)) {
      for (const item of next) waiting.push(item);
    } else if (isJsonObject(next)) {
      for (const key of Object.keys(next)) {
        if (key.includes('\0')) return true;
        waiting.push(next[key] as JsonValue);
      }
    }
  }
  return false;
}
