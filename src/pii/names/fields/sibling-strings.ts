/**
 * Finds a surname in a string of its own that directly follows a string with the first name: `'Marisol',
 * 'Echeverría'`.
 */

import type { Passage } from '../../layout/layout.js';
import { type Gazetteer, LIST_FIRST_NAME, wordKey } from '../../model/gazetteer.js';
import type { NameSpan } from '../../name-span.js';
import { lean } from '../../patterns/lean.js';
import { isNoThing } from './values.js';

const SCORE = 0.6;
/** With at least this score the first string counts as a person's name. */
const SURE = 0.5;
const ONE_WORD = lean(
  /^(?:(?:de|del|de la|de los|da|do|dos|di|van|van der|von|den|der|la|le|el|al|bin) )?(?<name>\p{Lu}[\p{Ll}\p{M}'’-]{1,23})$/u,
);
const BETWEEN = /^(["'`])\s?,\s?\1$/;
const BETWEEN_UNITS = 4;
const PASSAGES_OF_STEP = 256;

/** The given names, in order, with the surnames that directly follow first names added. */
export function* withSiblings(
  text: string,
  passages: readonly Passage[],
  names: readonly NameSpan[],
  lists: Gazetteer,
): Generator<void, readonly NameSpan[]> {
  if (!passages.some(({ isCode }) => isCode)) return names;
  const nameAt = new Map(names.map((name) => [name.start, name]));
  const added: NameSpan[] = [];
  for (let i = 1; i < passages.length; i++) {
    const { ranges, from, isCode } = passages[i]!;
    const first = nameAt.get(passages[i - 1]!.from);
    const end = ranges[1]!;
    if (isCode && first?.type === 'PERSON' && first.score >= SURE && !nameAt.has(from)) {
      const isFirstName = (lists.find(wordKey(text, first.start, first.end)) & LIST_FIRST_NAME) !== 0;
      const isBeside = from - first.end <= BETWEEN_UNITS && BETWEEN.test(text.slice(first.end, from));
      const surname =
        isFirstName && isBeside ? ONE_WORD.exec(text.slice(from, end))?.groups?.name : undefined;
      if (surname !== undefined && isNoThing(surname, lists))
        added.push({ type: 'PERSON', start: from, end, score: SCORE });
    }
    if (i % PASSAGES_OF_STEP === 0) yield;
  }
  return added.length === 0 ? names : [...names, ...added].sort((a, b) => a.start - b.start);
}
