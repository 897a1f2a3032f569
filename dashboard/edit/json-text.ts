import { jsonMistakeAt } from './json-mistake.ts';

export type JsonObjectText = { value: Record<string, unknown> } | { error: string };

/** Reads a JSON object that a person wrote, and says where it is wrong. */
export function readJsonObject(text: string): JsonObjectText {
  const mistake = jsonMistakeAt(text);
  if (mistake !== undefined) return { error: `${placeOf(text, mistake)}: this is no JSON.` };
  const value: unknown = JSON.parse(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { error: 'Write an object, such as {"key": "value"}.' };
  }
  return { value: value as Record<string, unknown> };
}

function placeOf(text: string, at: number): string {
  const before = text.slice(0, at).split('\n');
  return `Line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
}
