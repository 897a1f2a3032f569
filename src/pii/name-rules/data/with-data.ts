/** Joins what the model read with what columns of tables and the forms of data tell. */
import type { Gazetteer } from '../../model/gazetteer.js';
import type { NameSpan } from '../../model/names.js';
import { columnNames } from './columns.js';
import type { FieldName } from './field-names.js';
import { recordNames } from './people-records.js';
import { plainFields } from './plain-fields.js';

/** Names that are handled in one step. */
const GROUP = 256;

/** With what columns of tables and the forms of data tell: it counts where no name stands of which the model is as sure. */
export function* withData(
  text: string,
  names: readonly NameSpan[],
  lists: Gazetteer,
): Generator<void, NameSpan[]> {
  const columns = yield* columnNames(text);
  const records = yield* recordNames(text, lists);
  const fields = yield* plainFields(text);
  const told = withoutOverlaps([...columns, ...records, ...fields]);
  if (told.length === 0) return [...names];
  const all: NameSpan[] = [];
  let next = 0;
  for (const [index, one] of told.entries()) {
    while (next < names.length && names[next]!.end <= one.start) all.push(names[next++]!);
    let end = next;
    while (end < names.length && names[end]!.start < one.end) end++;
    if (names.slice(next, end).every(({ type, score }) => score < one.score || type !== one.type)) {
      if (one.type !== 'THING') all.push({ ...one, type: one.type });
      next = end;
    }
    if (index % GROUP === GROUP - 1) yield;
  }
  return [...all, ...names.slice(next)];
}

/** In order; of two that overlap the first. */
function withoutOverlaps(told: FieldName[]): FieldName[] {
  let end = 0;
  return told
    .sort((a, b) => a.start - b.start || b.end - a.end)
    .filter((one) => {
      if (one.start < end) return false;
      end = one.end;
      return true;
    });
}
