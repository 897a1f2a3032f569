/**
 * A text in lower case, for patterns of long lists that are written in lower case. With the flags `iu`, V8 creates
 * several times as much machine code for them. A text whose length would change, as with `İ`, stays as it is.
 */
export function inSmall(text: string): string {
  const small = text.toLowerCase();
  return small.length === text.length ? small : text;
}
