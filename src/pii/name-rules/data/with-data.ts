/** Joins what the model read with what columns of tables and the forms of data tell. */
import type { Gazetteer } from '../../model/gazetteer.js';
import type { NameSpan } from '../../model/names.js';
import { columnNames } from './columns.js';
import { contactComments } from './contact-comments.js';
import type { FieldName } from './field-names.js';
import { blamedAuthors, queryNames } from './one-line-forms.js';
import { recordNames } from './people-records.js';
import { plainFields } from './plain-fields.js';
import { quotedPairs } from './quoted-pairs.js';

/** Names that are handled in one step. */
const GROUP = 256;

/** With what columns of tables and the forms of data tell: it counts where no name stands of which the model is as sure. */
export function* withData(
  text: string,
  names: readonly NameSpan[],
  lists: Gazetteer,
): Generator<void, NameSpan[]> {
  const told = yield* inOrder([
    yield* columnNames(text, lists),
    yield* recordNames(text, lists),
    yield* plainFields(text, lists),
    yield* contactComments(text, lists),
    yield* quotedPairs(text, lists),
    yield* blamedAuthors(text),
    yield* queryNames(text, lists),
  ]);
  if (told.length === 0) return [...names];
  const all: NameSpan[] = [];
  let next = 0;
  for (const [index, one] of told.entries()) {
    while (next < names.length && names[next]!.end <= one.start) all.push(names[next++]!);
    let end = next;
    while (end < names.length && names[end]!.start < one.end) end++;
    if (names.slice(next, end).every((name) => isLess(name, one))) {
      if (one.type !== 'THING') all.push({ ...one, type: one.type });
      next = end;
    }
    if (index % GROUP === GROUP - 1) yield;
  }
  return [...all, ...names.slice(next)];
}

/** Another thing, less sure, or a piece of it. */
function isLess({ type, score, start, end }: NameSpan, one: FieldName): boolean {
  const isPiece = start >= one.start && end <= one.end && end - start < one.end - one.start;
  return score < one.score || type !== one.type || isPiece;
}

/** Lists that are in order each, as one; of two that overlap the first, or the longer one. */
function* inOrder(lists: readonly (readonly FieldName[])[]): Generator<void, FieldName[]> {
  const next = lists.map(() => 0);
  const found: FieldName[] = [];
  let end = 0;
  for (let count = 1; ; count++) {
    let first: number | undefined;
    for (let k = 0; k < lists.length; k++) {
      const one = lists[k]![next[k]!];
      if (one !== undefined && (first === undefined || isBefore(one, lists[first]![next[first]!]!)))
        first = k;
    }
    if (first === undefined) return found;
    const one = lists[first]![next[first]!++]!;
    if (one.start >= end) {
      found.push(one);
      end = one.end;
    }
    if (count % GROUP === 0) yield;
  }
}

function isBefore(one: FieldName, other: FieldName): boolean {
  return one.start < other.start || (one.start === other.start && one.end > other.end);
}
