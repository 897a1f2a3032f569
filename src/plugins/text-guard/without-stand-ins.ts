import type { Steps } from '../../core/pacing/steps.js';
import type { PlacedText } from '../helpers/texts.js';
import type { KnownStandIns } from '../stand-ins/stand-ins.js';
import type { TermMatch } from '../stand-ins/term-matcher.js';
import type { PlacedFound } from './found.js';

const AT_ONCE = 500;

/**
 * Drops findings that are mostly a stand-in. A stand-in is later replaced by its value, so it must not be rejected or
 * masked again.
 */
export function* withoutStandIns(
  found: readonly PlacedFound[],
  texts: readonly PlacedText[],
  known: KnownStandIns | undefined,
): Steps<readonly PlacedFound[]> {
  if (known === undefined || known.size === 0 || found.length === 0) return found;
  const byPlace = new Map(texts.map(({ place, text }) => [place, text]));
  const matches = new Map<string, TermMatch[]>();
  const matchesAt = (place: string) => {
    let there = matches.get(place);
    if (there === undefined) {
      const text = byPlace.get(place) ?? '';
      there = known.matcher('json').find(text, { final: true, before: '', json: true }).matches;
      matches.set(place, there);
    }
    return there;
  };
  const others: PlacedFound[] = [];
  for (const [index, one] of found.entries()) {
    if (2 * overlap(one, matchesAt(one.place)) < one.end - one.start) others.push(one);
    if (index % AT_ONCE === AT_ONCE - 1) yield;
  }
  return others;
}

/** How many units of a finding are covered by matches. The matches are in order and do not overlap. */
function overlap({ start, end }: PlacedFound, matches: readonly TermMatch[]): number {
  let [low, high] = [0, matches.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (matches[middle]!.end <= start) low = middle + 1;
    else high = middle;
  }
  let units = 0;
  for (let at = low; at < matches.length && matches[at]!.start < end; at++) {
    units += Math.min(end, matches[at]!.end) - Math.max(start, matches[at]!.start);
  }
  return units;
}
