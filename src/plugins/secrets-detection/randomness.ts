/** Words that people write in place of a secret. */
const MADE_UP =
  /example|sample|placeholder|change[_-]?me|(?:^|[-_./])(?:your|fake|test|demo)(?:[-_.]|$)|dummy|redacted|insert|replace|x{6}|\*{3}|\.{3}/i;
/** Sequences that people type. In a token of a known form they do not show that it is a placeholder. */
const IN_ORDER = /abcdefgh|12345678|01234567|deadbeef/i;
/** The least entropy in bits per character, for hexadecimal secrets and for those of larger alphabets. */
const LEAST_HEX_ENTROPY = 2.8;
const LEAST_ENTROPY = 3.2;
/** Short random text has less entropy. It must reach this share of what its length allows. */
const LEAST_SHARE = 0.65;
/** So many lower-case letters in a row are words and not chance. */
const WORDS = /[a-z]{12}|(?:[a-z]{4,}[-_.]){3}/;

/** Names in code that end in a size: `Uint8Array`, `Base64Url`, `sha256Digest`. */
const SIZED_NAME = /^[A-Za-z]{3,}(?:8|16|32|64|128|256|384|512)(?:[A-Z][a-z]+)*$/;

export function looksMadeUp(text: string): boolean {
  return MADE_UP.test(text) || IN_ORDER.test(text);
}

/** Whether the characters are not all the same. */
export function isVaried(text: string): boolean {
  const least = /^[0-9a-f]+$/i.test(text) ? LEAST_HEX_ENTROPY : LEAST_ENTROPY;
  return entropyOf(text) >= Math.min(least, LEAST_SHARE * Math.log2(text.length));
}

/** Whether a token with its own prefix looks real: not a placeholder, and not one repeated character. */
export function looksDrawn(text: string): boolean {
  return !MADE_UP.test(text) && isVaried(text);
}

/** Whether a value without a prefix of its own looks random. It may then contain no words either. */
export function looksRandom(text: string): boolean {
  return !WORDS.test(text) && !IN_ORDER.test(text) && looksDrawn(text);
}

/**
 * Whether a value without quotes after a telling name, such as `api_key: …`, looks random. It must also not look like
 * a name in source code, and with eight to fifteen characters it needs upper and lower case and digits.
 */
export function looksTyped(text: string): boolean {
  if (/:\/\/|^[./]/.test(text) || !looksRandom(text) || !/[0-9]/.test(text) || !/[A-Za-z]/.test(text))
    return false;
  if (SIZED_NAME.test(text)) return false;
  const isMixed = /[a-z]/.test(text) && /[A-Z]/.test(text);
  if (text.length < 16) return isMixed && /[0-9][^0-9]|[!#%^&*~+]/.test(text);
  return /[0-9][^0-9]+[0-9]|[!#%^&*~+]/.test(text);
}

/** Shannon entropy in bits per character. */
function entropyOf(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let entropy = 0;
  for (const count of counts.values()) entropy -= (count / text.length) * Math.log2(count / text.length);
  return entropy;
}
