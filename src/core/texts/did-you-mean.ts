import { closest, distance } from 'fastest-levenshtein';

/** `; did you mean "local"?`, or nothing where no known word is similar. */
export function didYouMean(word: string, known: readonly string[]): string {
  if (known.length === 0) return '';
  const nearest = closest(word, known);
  const allowed = Math.max(1, Math.floor(Math.min(word.length, nearest.length) / 3));
  return distance(word, nearest) <= allowed ? `; did you mean ${JSON.stringify(nearest)}?` : '';
}
