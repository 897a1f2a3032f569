/**
 * The start of the run of text without white space that extends across `edge`. Returns `edge` itself where the run
 * starts more than `longest` units before it.
 */
export function runStart(text: string, edge: number, longest: number): number {
  let start = edge;
  while (start > 0 && !breaksRun(text.charCodeAt(start - 1))) {
    start--;
    if (edge - start > longest) return edge;
  }
  return start;
}

/** Whether a unit ends a run: white space, and letters of scripts that are written without it. */
function breaksRun(code: number): boolean {
  return (
    code <= 0x20 || code === 0xa0 || (code >= 0x2000 && code <= 0x200a) || (code >= 0x2e80 && code < 0xd800)
  );
}
