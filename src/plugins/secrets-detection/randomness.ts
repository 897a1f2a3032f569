/** What people write where a secret would stand. */
const MADE_UP =
  /example|sample|placeholder|changeme|change[_-]me|your[_-]?|dummy|redacted|insert|replace|fake|abcdefgh|12345678|01234567|deadbeef|xxxx|\*\*\*|\.\.\./i;
/** Bits a character, for secrets of hexadecimal digits and of larger alphabets. */
const LEAST_HEX_ENTROPY = 2.8;
const LEAST_ENTROPY = 3.2;
/** Letters in a row that are all lower case: words, not chance. */
const WORDS = /[a-z]{12}|(?:[a-z]{4,}[-_.]){3}/;

export function looksMadeUp(text: string): boolean {
  return MADE_UP.test(text);
}

/** Whether a text is drawn by chance as far as one can tell: no word, no pattern, no repeats. */
export function looksRandom(text: string): boolean {
  if (looksMadeUp(text) || WORDS.test(text)) return false;
  const isHex = /^[0-9a-f]+$/i.test(text);
  return entropyOf(text) >= (isHex ? LEAST_HEX_ENTROPY : LEAST_ENTROPY);
}

/** Shannon entropy in bits a character. */
export function entropyOf(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let entropy = 0;
  for (const count of counts.values()) entropy -= (count / text.length) * Math.log2(count / text.length);
  return entropy;
}
