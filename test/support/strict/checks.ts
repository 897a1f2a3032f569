import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/core/json.js';

/* Helpers for the rules of all APIs. */

/** Records a complaint where `ok` is false. */
export type Say = (ok: boolean, complaint: string) => void;

export function onlyMembers(value: JsonObject, known: readonly string[], at: string, say: Say): void {
  for (const name of Object.keys(value))
    say(known.includes(name), `Unknown parameter: '${at === '' ? '' : `${at}.`}${name}'`);
}

export function hasContent(content: JsonValue | undefined): boolean {
  return typeof content === 'string' ? content !== '' : objects(content).length > 0;
}

export function isName(name: JsonValue | undefined, longest: number): boolean {
  return typeof name === 'string' && /^[a-zA-Z0-9_-]+$/.test(name) && name.length <= longest;
}

export function objects(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

export function texts(value: JsonValue | undefined): string[] {
  return (Array.isArray(value) ? value : [value]).filter((one) => typeof one === 'string');
}

export function asObject(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}
