export type JsonObjectText = { value: Record<string, unknown> } | { error: string };

/** Reads a JSON object that a person wrote, and says where it is wrong. */
export function readJsonObject(text: string): JsonObjectText {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { error: describe(error as SyntaxError, text) };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { error: 'Write an object, such as {"key": "value"}.' };
  }
  return { value: value as Record<string, unknown> };
}

/** Browsers tell the place as a number of units or as a line; we tell line and column. */
function describe({ message }: SyntaxError, text: string): string {
  const words = message
    .replace(/^JSON\.parse: /, '')
    .replace(/ in JSON at position \d+.*$/s, '')
    .replace(/, "?\.{3}.*$/s, '');
  const position = /at position (\d+)/.exec(message)?.[1];
  const at =
    position === undefined ? (message.includes('end of JSON') ? text.length : undefined) : Number(position);
  if (at === undefined) return words;
  const before = text.slice(0, at).split('\n');
  return `Line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}: ${words}`;
}
