import { Lexer, type Token } from 'marked';

/** A longer text is shown without formatting. */
const MAX_UNITS = 20_000;
/** Quotes and lists that are nested deeper are shown without formatting. */
const MAX_NESTED = 24;
/**
 * For each mark of emphasis, link or code the parser searches to the end of its paragraph. Searching this many UTF-16
 * units takes about 50 ms. A text that needs more is shown without formatting.
 */
const MOST_LOOKS = 5_000_000;

const MARKS = /[*_~`[\]<!&@\\]/g;
const NESTED = new RegExp(`^[ \\t]*(?:(?:>|[-*+]|\\d+[.)])[ \\t]*){${MAX_NESTED + 1}}`, 'm');

/**
 * The Markdown of a text as a tree; undefined where reading it would take too long. Anybody may have written the
 * text.
 */
export function markdownTokens(text: string): Token[] | undefined {
  if (text.length > MAX_UNITS || NESTED.test(text)) return undefined;
  const lexer = new Lexer({ gfm: true, breaks: true });
  try {
    lexer.blockTokens(text.replace(/\r\n|\r/g, '\n'), lexer.tokens);
    let left = MOST_LOOKS;
    for (const { src, tokens } of lexer.inlineQueue) {
      left -= src.length * (src.match(MARKS)?.length ?? 0);
      if (left >= 0) lexer.inlineTokens(src, tokens);
      else tokens.push({ type: 'text', raw: src, text: src });
    }
  } catch {
    return undefined; // Nested too deeply for the parser.
  }
  return lexer.tokens;
}
