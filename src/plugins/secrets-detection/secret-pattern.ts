/** One kind of secret. Patterns have a limited length and no nested repeats, so their time is linear. */
export interface SecretPattern {
  type: string;
  /** A global pattern. The finding is its group `secret` or, without that group, the whole match. */
  pattern: RegExp;
  /** A pattern that every match contains and that is faster to search for. */
  sign?: RegExp;
  /**
   * Whether the secret, or its random part, is real and not only of the right form. By default: whether it looks
   * random.
   */
  check?(secret: string): boolean;
  /** Whether the score is 1, for example because a checksum is right. Otherwise it is 0.9. */
  certain?(secret: string): boolean;
}

/** After a JSON escape, as in tool arguments, a word starts as it does after a line break. */
export const BEHIND_ESCAPE = String.raw`(?<=\\[nrt])`;
