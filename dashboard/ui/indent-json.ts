/** Members on deeper levels are not indented further, because a text may nest without end. */
const MOST_DEPTH = 40;

/** JSON with a line for each member; undefined for any other text. Only white space changes, so numbers keep all digits. */
export function indentJson(text: string): string | undefined {
  return isJson(text) ? indentPieces([{ text }])[0]?.text : undefined;
}

/** Whether a text is a JSON object or array. */
export function isJson(text: string): boolean {
  if (!/^\s*[{[]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Indents a JSON text that is cut in pieces. */
export function indentPieces<Piece extends { text: string }>(pieces: Piece[]): Piece[] {
  let depth = 0;
  let isInString = false;
  let isEscaped = false;
  /** Whether the last character was an opening bracket. If a closing one follows, the empty object stays on its line. */
  let isOpened = false;
  const newLine = () => `\n${'  '.repeat(Math.min(depth, MOST_DEPTH))}`;
  const outside = (char: string): string => {
    if (/\s/.test(char)) return '';
    const isClosing = char === '}' || char === ']';
    const isEmpty = isOpened && isClosing;
    if (isClosing) depth--;
    const lead = (isOpened || isClosing) && !isEmpty ? newLine() : '';
    isOpened = char === '{' || char === '[';
    if (isOpened) depth++;
    isInString = char === '"';
    return `${lead}${char}${char === ',' ? newLine() : char === ':' ? ' ' : ''}`;
  };
  const inside = (char: string): string => {
    if (isEscaped) isEscaped = false;
    else if (char === '\\') isEscaped = true;
    else if (char === '"') isInString = false;
    return char;
  };
  return pieces.map((piece) => {
    let text = '';
    for (const char of piece.text) text += isInString ? inside(char) : outside(char);
    return { ...piece, text };
  });
}
