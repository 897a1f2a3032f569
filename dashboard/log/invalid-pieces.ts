export interface OutputPiece {
  text: string;
  /** Whether validation failed at this piece. */
  wrong: boolean;
}

/**
 * An output in pieces, indented where it is JSON. The value that a JSON pointer names is a piece of its own. There is
 * one piece where the output is not JSON, or where the pointer names the whole or nothing in it.
 */
export function invalidPieces(output: string, pointer: string): OutputPiece[] {
  let value: unknown;
  try {
    value = JSON.parse(output);
  } catch {
    return [{ text: output, wrong: false }];
  }
  const text = JSON.stringify(value, null, 2);
  const keys = pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
  if (keys.length === 0) return [{ text, wrong: false }];
  // The value is replaced by a mark that occurs nowhere in the text, which is then cut at the mark.
  const mark = unusedMark(text);
  const found = replaceAt(value, keys, mark);
  if (found === undefined) return [{ text, wrong: false }];
  const [before = '', after = ''] = JSON.stringify(found.whole, null, 2).split(JSON.stringify(mark));
  const wrong = text.slice(before.length, text.length - after.length);
  return [
    { text: before, wrong: false },
    { text: wrong, wrong: true },
    { text: after, wrong: false },
  ];
}

function unusedMark(text: string): string {
  let mark = 'here';
  while (text.includes(mark)) mark += '-';
  return mark;
}

function replaceAt(value: unknown, [key, ...rest]: string[], mark: string): { whole: unknown } | undefined {
  if (key === undefined) return { whole: mark };
  if (typeof value !== 'object' || value === null || !Object.keys(value).includes(key)) return undefined;
  const inner = replaceAt((value as Record<string, unknown>)[key], rest, mark);
  if (inner === undefined) return undefined;
  if (Array.isArray(value)) return { whole: value.with(Number(key), inner.whole) };
  const members = Object.entries(value).map(([name, member]) => [name, name === key ? inner.whole : member]);
  return { whole: Object.fromEntries(members) };
}
