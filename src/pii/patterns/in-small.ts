/**
 * A text in small letters, for patterns of long lists that are written so: with the flags `iu` V8 makes several times the
 * machine code of them. It is left as it is where its length would change, as that of `İ` does.
 */
export function inSmall(text: string): string {
  const small = text.toLowerCase();
  return small.length === text.length ? small : text;
}
