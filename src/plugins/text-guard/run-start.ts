/**
 * The start of the text without white space that extends across `edge`; `edge` itself where that is more than
 * `longest` units away.
 */
export function runStart(text: string, edge: number, longest: number): number {
  let start = edge;
  while (start > 0 && !breaksRun(text.charCodeAt(start - 1))) {
    start--;
    if (edge - start > longest) return edge;
  }
  return start;
}

/** White space, and scripts that are written without it. */
function breaksRun(code: number): boolean {
  return (
    code <= 0x20 || code === 0xa0 || (code >= 0x2000 && code <= 0x200a) || (code >= 0x2e80 && code < 0xd800)
  );
}
