/** Joins the names that the model found with those that columns of tables announce. */

import type { Gazetteer } from '../../model/gazetteer.js';
import { asType, type NameSpan } from '../../name-span.js';
import { columnNames } from './columns.js';
import type { FieldName } from './field-names.js';

/** Names that are handled in one step. */
const GROUP = 256;

/** Adds the names that columns announce, except where the model found the same name with at least the same score. */
export function* withFields(
  text: string,
  names: readonly NameSpan[],
  lists: Gazetteer,
): Generator<void, readonly NameSpan[]> {
  const told = yield* columnNames(text, lists);
  if (told.length === 0) return names;
  const all: NameSpan[] = [];
  let next = 0;
  let last = 0;
  for (const [index, one] of told.entries()) {
    // Of two that overlap, the first counts.
    if (one.start < last) continue;
    last = one.end;
    while (next < names.length && names[next]!.end <= one.start) all.push(names[next++]!);
    let end = next;
    while (end < names.length && names[end]!.start < one.end) end++;
    if (names.slice(next, end).every((name) => isLess(name, one))) {
      if (one.type !== 'THING') all.push(asType(one, one.type));
      next = end;
    }
    if (index % GROUP === GROUP - 1) yield;
  }
  return [...all, ...names.slice(next)];
}

/**
 * Whether a name of the model gives way to the name that the column announces: its score is lower, or its type or its
 * bounds differ.
 */
function isLess({ type, score, start, end }: NameSpan, one: FieldName): boolean {
  const isSame = start === one.start && end === one.end;
  return score < one.score || type !== one.type || !isSame;
}
