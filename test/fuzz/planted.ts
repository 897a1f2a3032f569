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
    return [{ path, name: nameOf(path) }];
  }
  if (typeof value !== 'object' || value === null) return [];
  const members = Array.isArray(value) ? value.map((item, at) => [at, item] as const) : Object.entries(value);
  return members.flatMap(([step, inside]) => stringsOf(inside as JsonValue, [...path, step]));
}

/** All objects of a body, in order. */
export function objectsOf(value: JsonValue, path: Path = []): Place[] {
  if (typeof value !== 'object' || value === null) return [];
  const isList = Array.isArray(value);
  const members = isList ? value.map((item, at) => [at, item] as const) : Object.entries(value);
  const inside = members.flatMap(([step, member]) => objectsOf(member as JsonValue, [...path, step]));
  return isList ? inside : [{ path, name: nameOf(path) }, ...inside];
}

function nameOf(path: Path): string {
  return path.filter((step) => typeof step === 'string').join('.');
}

/** The body with another member in one of its objects. */
export function withMember(text: string, { path }: Place, name: string): string {
  const body = parsed(text);
  let object: JsonValue = body;
  for (const step of path) object = (object as Record<string | number, JsonValue>)[step]!;
  (object as JsonObject)[name] = 'x';
  return JSON.stringify(body);
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
