/** One kind of secret. Patterns are of bounded length and without nested repeats, so that their time is linear. */
export interface SecretPattern {
  type: string;
  /** Global. Its group `secret` is the finding, or all that it matches. */
  pattern: RegExp;
  /** What stands in each text that the pattern matches: it is looked for first, which is quicker. */
  sign?: RegExp;
  /** Whether the secret (or what of it is random) is one, beyond its form. Default: it looks random. */
  check?(secret: string): boolean;
  /** 1 where this holds, such as a checksum; else 0.9. */
  certain?(secret: string): boolean;
}

/** Behind an escape of JSON, such as in the arguments of a call, a word begins as it does behind a line's end. */
export const BEHIND_ESCAPE = String.raw`(?<=\\[nrt])`;
