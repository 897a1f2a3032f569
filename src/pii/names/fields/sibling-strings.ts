/** One-word strings of code that stand side by side: `'Marisol', 'Echeverría'` are parts of one name, `"Amber", "Red"` are colours. */

import type { Passage } from '../../layout/layout.js';
import {
  type Gazetteer,
  LIST_CALENDAR,
  LIST_COMMON,
  LIST_FIRST_NAME,
  LIST_FREQUENT_FIRST_NAME,
  LIST_ORGANIZATION,
  LIST_PRODUCT,
  wordKey,
} from '../../model/gazetteer.js';
import type { NameSpan } from '../../name-span.js';
import { lean } from '../../patterns/lean.js';
import { isNoThing } from './values.js';

const TOLD = 0.6;
const SURE = 0.5;
const ONE_WORD = lean(
  /^(?:(?:de|del|de la|de los|da|do|dos|di|van|van der|von|den|der|la|le|el|al|bin) )?\p{Lu}[\p{Ll}\p{M}'’-]+$/u,
);
const PARTICLES = /^(?:\p{Ll}+ )+/u;
const BETWEEN = /^(["'`])\s?,\s?\1$/;
const LONGEST = 24;

type Word = Pick<NameSpan, 'start' | 'end'>;
/** Colours, months and products look like first names where they stand beside others of their kind. */
const THING = LIST_PRODUCT | LIST_CALENDAR | LIST_ORGANIZATION;

/** Runs of one-word strings with nothing but a comma between. */
function* runsOf(text: string, passages: readonly Passage[]): Generator<Word[]> {
  const run: Word[] = [];
  for (const { ranges, from, isCode } of passages) {
    const end = ranges[1]!;
    if (!isCode || ranges.length > 2 || end - from > LONGEST || !ONE_WORD.test(text.slice(from, end)))
      continue;
    const last = run.at(-1);
    if (last !== undefined && !(from - last.end <= 4 && BETWEEN.test(text.slice(last.end, from)))) {
      if (run.length > 1) yield run.splice(0);
      else run.length = 0;
    }
    run.push({ start: from, end });
  }
  if (run.length > 1) yield run;
}

/** Runs that are handled in one step. */
const AT_ONCE = 64;

/** `names`, in order, with surnames beside first names and without words for things beside others. */
export function* withSiblings(
  text: string,
  passages: readonly Passage[],
  names: readonly NameSpan[],
  lists: Gazetteer,
): Generator<void, readonly NameSpan[]> {
  if (!passages.some(({ isCode }) => isCode)) return names;
  const nameAt = new Map(names.map((name) => [name.start, name]));
  const added: NameSpan[] = [];
  const dropped = new Set<NameSpan>();
  let count = 0;
  for (const run of runsOf(text, passages)) {
    weigh(text, run, nameAt, lists, added, dropped);
    if (++count % AT_ONCE === 0) yield;
  }
  if (added.length === 0 && dropped.size === 0) return names;
  return [...names.filter((name) => !dropped.has(name)), ...added].sort((a, b) => a.start - b.start);
}

function weigh(
  text: string,
  run: readonly Word[],
  nameAt: ReadonlyMap<number, NameSpan>,
  lists: Gazetteer,
  added: NameSpan[],
  dropped: Set<NameSpan>,
): void {
  const flags = run.map(({ start, end }) => lists.find(wordKey(text, start, end)));
  const isThing = flags.map((f) => (f & THING) !== 0);
  const isOrdinary = (f: number) => (f & LIST_COMMON) !== 0 && (f & LIST_FREQUENT_FIRST_NAME) === 0;
  const areThings =
    isThing.filter(Boolean).length > 1 || flags.some((f, i) => isThing[i] !== true && isOrdinary(f));
  const isPerson = (word: Word | undefined) => {
    const name = word && nameAt.get(word.start);
    return name?.type === 'PERSON' && name.score >= SURE;
  };
  for (const [i, word] of run.entries()) {
    const found = text.slice(word.start, word.end);
    if (isPerson(word)) {
      if (areThings && isThing[i]) dropped.add(nameAt.get(word.start)!);
    } else if (
      !isThing[i - 1] &&
      isPerson(run[i - 1]) &&
      (flags[i - 1]! & LIST_FIRST_NAME) !== 0 &&
      !nameAt.has(word.start)
    ) {
      if (isNoThing(found.replace(PARTICLES, ''), lists))
        added.push({ type: 'PERSON', ...word, score: TOLD });
    }
  }
}
