/**
 * The text inside a Markdown code fence that is the whole of a text, apart from white space around it; undefined for any
 * other text. Thoughts that a model wrote before it (`<think>…</think>`) are removed too. Prose before or after the fence is
 * not part of an output, so such a text is left as it is.
 */
export function unwrapFence(text: string): string | undefined {
  const spoken = withoutThinking(text);
  const trimmed = (spoken ?? text).trim();
  const fence = openingFence(trimmed);
  // Thoughts are also removed from JSON without a fence.
  if (fence === undefined && spoken !== undefined && /^[[{"]/.test(trimmed)) return trimmed;
  const firstLineEnd = trimmed.indexOf('\n');
  if (fence === undefined || firstLineEnd === -1 || !trimmed.endsWith(fence)) return undefined;
  // The word after the opening fence is the name of a language, so it contains no backtick.
  if (trimmed.slice(fence.length, firstLineEnd).includes('`')) return undefined;
  const inside = trimmed.slice(firstLineEnd + 1, trimmed.length - fence.length);
  // A closing fence stands on a line of its own.
  const lastLine = inside.slice(inside.lastIndexOf('\n') + 1);
  return lastLine.trim() === '' ? inside.trim() : undefined;
}

const THINKING = /^\s*<(think|thinking|reasoning)>/;

/** The text after the thoughts that a model wrote at its beginning; undefined where there are none. */
function withoutThinking(text: string): string | undefined {
  const name = THINKING.exec(text)?.[1];
  if (name === undefined) return undefined;
  const end = text.indexOf(`</${name}>`);
  return end === -1 ? undefined : text.slice(end + name.length + 3);
}

/** The opening fence: at least three backticks, or at least three tildes. */
function openingFence(text: string): string | undefined {
  const mark = text[0];
  if (mark !== '`' && mark !== '~') return undefined;
  let length = 1;
  while (text[length] === mark) length++;
  return length >= 3 ? text.slice(0, length) : undefined;
}
