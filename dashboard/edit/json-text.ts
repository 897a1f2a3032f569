import { jsonMistakeAt } from './json-mistake.ts';

export type JsonObjectText = { value: Record<string, unknown> } | { error: string };

/** Reads a JSON object that a person wrote, and says where it is wrong. */
export function readJsonObject(text: string): JsonObjectText {
  const mistake = jsonMistakeAt(text);
  if (mistake !== undefined) return { error: `${placeOf(text, mistake)}: this is not valid JSON.` };
  const value: unknown = JSON.parse(text);
  if (holdsInfinity(value)) return { error: 'A number is too large to be stored.' };
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { error: 'Write a JSON object, such as {"key": "value"}.' };
  }
  return { value: value as Record<string, unknown> };
}

/** Whether it contains a number beyond 1.8e308, which would be sent as null. */
function holdsInfinity(value: unknown): boolean {
  if (typeof value === 'number') return !Number.isFinite(value);
  return typeof value === 'object' && value !== null && Object.values(value).some(holdsInfinity);
}

export function placeOf(text: string, at: number): string {
  const before = text.slice(0, at).split('\n');
  return `Line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
}
