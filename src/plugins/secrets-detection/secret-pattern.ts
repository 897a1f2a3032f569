/** One kind of secret. Patterns have a limited length and no nested repeats, so their time is linear. */
export interface SecretPattern {
  type: string;
  /** Global. Its group `secret` is the finding, or the whole match. */
  pattern: RegExp;
  /** Text that every match contains. It is searched first, which is faster. */
  sign?: RegExp;
  /** Whether the secret, or its random part, is real beyond its form. By default: whether it looks random. */
  check?(secret: string): boolean;
  /** 1 where this holds, such as for a checksum; else 0.9. */
  certain?(secret: string): boolean;
}

/** After a JSON escape, as in tool arguments, a word starts as it does after a line break. */
export const BEHIND_ESCAPE = String.raw`(?<=\\[nrt])`;
