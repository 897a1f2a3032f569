/**
 * The inside of a Markdown code fence that is the whole of a text, blank space around it apart; undefined for any other
 * text. Thoughts that a model wrote before it (`<think>…</think>`) are removed too. Prose before or after the fence is
 * no part of an output, so such a text is left as it is.
 */
export function unwrapFence(text: string): string | undefined {
  const spoken = withoutThinking(text);
  const trimmed = (spoken ?? text).trim();
  const fence = openingFence(trimmed);
  // Thoughts that the model wrote are removed from JSON without a fence, too.
  if (fence === undefined && spoken !== undefined && /^[[{"]/.test(trimmed)) return trimmed;
  const firstLineEnd = trimmed.indexOf('\n');
  if (fence === undefined || firstLineEnd === -1 || !trimmed.endsWith(fence)) return undefined;
  // The word behind the fence names a language, and so holds no backtick.
  if (trimmed.slice(fence.length, firstLineEnd).includes('`')) return undefined;
  const inside = trimmed.slice(firstLineEnd + 1, trimmed.length - fence.length);
  // A closing fence stands on a line of its own.
  const lastLine = inside.slice(inside.lastIndexOf('\n') + 1);
  return lastLine.trim() === '' ? inside.trim() : undefined;
}

const THINKING = /^\s*<(think|thinking|reasoning)>/;

/** The text behind what a model thought aloud at its beginning; undefined where it did not. */
function withoutThinking(text: string): string | undefined {
  const name = THINKING.exec(text)?.[1];
  if (name === undefined) return undefined;
  const end = text.indexOf(`</${name}>`);
  return end === -1 ? undefined : text.slice(end + name.length + 3);
}

/** Three backticks or more, or three tildes or more. */
function openingFence(text: string): string | undefined {
  const mark = text[0];
  if (mark !== '`' && mark !== '~') return undefined;
  let length = 1;
  while (text[length] === mark) length++;
  return length >= 3 ? text.slice(0, length) : undefined;
}
