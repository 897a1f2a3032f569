import type { JsonObject, JsonValue } from '../../src/core/json.js';
import { type Path, spliceValues, stringEdit } from '../../src/dialects/wire/splice.js';

/** A string in a body. */
export interface Place {
  path: Path;
  /** Without the numbers of lists, such as `choices.message.content`. */
  name: string;
}

/** All strings of a body, in order. */
export function stringsOf(value: JsonValue, path: Path = []): Place[] {
  if (typeof value === 'string') {
    return [{ path, name: path.filter((step) => typeof step === 'string').join('.') }];
  }
  if (typeof value !== 'object' || value === null) return [];
  const members = Array.isArray(value) ? value.map((item, at) => [at, item] as const) : Object.entries(value);
  return members.flatMap(([step, inside]) => stringsOf(inside as JsonValue, [...path, step]));
}

/** The body with another string in one place. */
export function planted(text: string, { path }: Place, string: string): string {
  return spliceValues(text, [stringEdit(path, string)]);
}

/** Whether a text that goes on says the string, however JSON writes it. */
export function says(text: string, string: string): boolean {
  return text.includes(string) || text.includes(JSON.stringify(string).slice(1, -1));
}

export function parsed(text: string): JsonObject {
  return JSON.parse(text) as JsonObject;
}
