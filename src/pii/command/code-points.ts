/** Offsets as files have them, in code points, and as JavaScript has them, in UTF-16 units. */

/** UTF-16 offset → code points before it; undefined for text without surrogates, where they are the same. */
export function pointsOf(text: string): Int32Array | undefined {
  if (!/[\ud800-\udfff]/.test(text)) return undefined;
  const points = new Int32Array(text.length + 1);
  let count = 0;
  for (let at = 0; at < text.length; count++) {
    const width = text.codePointAt(at)! > 0xffff ? 2 : 1;
    points.fill(count, at, at + width);
    at += width;
  }
  points[text.length] = count;
  return points;
}
