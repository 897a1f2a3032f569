import { Select } from '../ui/field.tsx';
import { COLUMNS } from './columns.tsx';
import type { Sort } from './log-list.ts';

interface SortChoiceProps {
  sort: Sort;
  onSort: (sort: Sort) => void;
}

const OPTIONS = COLUMNS.flatMap(({ title, sort }) =>
  sort === undefined
    ? []
    : [{ value: sort, label: sort === 'created_at' ? 'Newest first' : `By ${title.toLowerCase()}` }],
);

/** The order of the list where its columns have no titles to press. */
export function SortChoice({ sort, onSort }: SortChoiceProps) {
  return <Select label="Order" value={sort} options={OPTIONS} onChange={onSort} />;
}
