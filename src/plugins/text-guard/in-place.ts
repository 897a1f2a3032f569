import type { Steps } from '../../core/pacing/steps.js';
import type { PlacedText } from '../helpers/texts.js';
import type { Found, PlacedFound } from './found.js';

const STEP = 500;

/** What was found in these texts, each finding with the place of its text. */
export function* inPlace(
  texts: readonly PlacedText[],
  found: readonly (readonly Found[])[],
): Steps<PlacedFound[]> {
  const all: PlacedFound[] = [];
  for (const [index, there] of found.entries()) {
    // `place` may be a getter that builds a string, so it is read only where there are findings.
    if (there.length > 0) yield* addPlaced(all, there, texts[index]!.place);
  }
  return all;
}

/** Whether nothing was found in any of the texts, as in most. */
export function isNothing(found: readonly (readonly Found[])[]): boolean {
  return found.every((there) => there.length === 0);
}

/** Does the same by the keys of the texts. */
export function* inPlaceInSteps(
  texts: readonly PlacedText[],
  keys: readonly string[],
  known: ReadonlyMap<string, readonly Found[]>,
): Steps<PlacedFound[]> {
  const all: PlacedFound[] = [];
  for (const [index, { place }] of texts.entries()) {
    const there = known.get(keys[index]!)!;
    if (there.length > 0) yield* addPlaced(all, there, place);
    if (index % STEP === STEP - 1) yield;
  }
  return all;
}

function* addPlaced(all: PlacedFound[], found: readonly Found[], place: string): Steps {
  for (const { type, start, end, score, explanation } of found) {
    all.push(
      explanation === undefined
        ? { type, start, end, score, place }
        : { type, start, end, score, explanation, place },
    );
    if (all.length % STEP === 0) yield;
  }
}
