import { memo } from 'preact/compat';
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { LogSummary } from '../api/client.ts';
import { useNarrow } from '../app/narrow.ts';
import { useStore } from '../app/store.ts';
import { type Column, chosenColumns, columnsNamed, leastWidth, NARROW_COLUMN } from './columns.tsx';
import type { ListState, Sort } from './log-list.ts';

/** The height of a row. On a narrow screen a log has three lines. */
const ROW_PX = { wide: 36, narrow: 84 };
const HEAD_PX = { wide: 36, narrow: 0 };
/** The width of the selection boxes and of the space at both ends. */
const EDGES_PX = 66;
const GAP_PX = 10;
/** How many rows are drawn above and below the visible ones. */
const SPARE = 4;
/** The number of drawn rows is a multiple of this, so that it seldom changes. */
const SLOT_STEP = 8;
/** Older logs are loaded when fewer rows than this are left below. */
const LOAD_AHEAD = 100;

export interface TableProps {
  state: ListState;
  selected: ReadonlySet<string>;
  active: number;
  onActive: (index: number) => void;
  onOpen: (log: LogSummary) => void;
  onSelect: (index: number, range: boolean) => void;
  onNearEnd: () => void;
  /** Called when the newest log comes into view, and when it leaves it. */
  onTop: (atTop: boolean) => void;
  sort: Sort;
  onSort: (sort: Sort) => void;
}

/** Draws only the visible rows, however many there are. */
export function LogTable({
  state,
  selected,
  active,
  onActive,
  onOpen,
  onSelect,
  onNearEnd,
  onTop,
  sort,
  onSort,
}: TableProps) {
  const { logs } = state;
  const scroller = useRef<HTMLDivElement>(null);
  const narrow = useNarrow();
  const chosen = useStore(chosenColumns);
  const columns = narrow ? [NARROW_COLUMN] : columnsNamed(chosen, sort);
  const rowPx = narrow ? ROW_PX.narrow : ROW_PX.wide;
  const headPx = narrow ? HEAD_PX.narrow : HEAD_PX.wide;
  const [view, setView] = useState({ top: 0, height: 800 });
  useScrollPlace(scroller, logs, rowPx);

  const look = useCallback(() => {
    if (scroller.current === null) return;
    const { scrollTop, clientHeight } = scroller.current;
    setView((before) => {
      // The position counts in steps of four rows, because smaller steps would draw the same rows again.
      const top = Math.floor(scrollTop / (rowPx * 4)) * rowPx * 4;
      return before.top === top && before.height === clientHeight ? before : { top, height: clientHeight };
    });
    onTop(scrollTop < rowPx);
  }, [onTop, rowPx]);
  useEffect(() => {
    const observer = new ResizeObserver(look);
    observer.observe(scroller.current as HTMLDivElement);
    return () => observer.disconnect();
  }, [look]);

  const first = Math.max(0, Math.floor(view.top / rowPx) - SPARE);
  const last = Math.min(logs.length, Math.ceil((view.top + view.height) / rowPx) + SPARE + 4);
  useEffect(() => {
    if (last > logs.length - LOAD_AHEAD) onNearEnd();
  }, [last, logs.length, onNearEnd]);
  const activeLog = logs[active];
  // The table does not scroll where only new logs above moved the selected row, because the reader may be looking
  // elsewhere.
  useEffect(() => {
    keepInSight(scroller.current as HTMLDivElement, active, rowPx, headPx);
  }, [activeLog?.id]);

  // The column that the list is sorted by may be beyond the right edge.
  useEffect(() => {
    const head = scroller.current?.querySelector('[aria-sort="descending"]');
    if (sort !== 'created_at') head?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [sort]);

  const template = `34px ${columns.map(({ width }) => width).join(' ')}`;
  return (
    <div
      class={narrow ? 'grid narrow' : 'grid'}
      role="grid"
      aria-label="Logs"
      aria-rowcount={state.more ? -1 : logs.length + 1}
      aria-multiselectable="true"
      aria-activedescendant={
        activeLog && active >= first && active < last ? `log-${activeLog.id}` : undefined
      }
      tabIndex={0}
      ref={scroller}
      onScroll={look}
      style={{
        '--columns': template,
        '--row': `${rowPx}px`,
        '--least': `${leastWidth(columns) + EDGES_PX + columns.length * GAP_PX}px`,
      }}
    >
      <div role="row" class="grid-head" aria-rowindex={1}>
        <span role="columnheader">
          <span class="hidden">Selected</span>
        </span>
        {columns.map((column) => (
          <ColumnHead key={column.name} column={column} sort={sort} onSort={onSort} />
        ))}
      </div>
      <div role="rowgroup" class="grid-body" style={{ height: `${logs.length * rowPx}px` }}>
        {slotsOf(first, last).map((index, slot) => {
          const log = logs[index];
          return (
            log && (
              <Row
                key={slot}
                log={log}
                index={index}
                columns={columns}
                layout={template}
                rowPx={rowPx}
                selected={selected.has(log.id)}
                active={index === active}
                onActive={onActive}
                onOpen={onOpen}
                onSelect={onSelect}
              />
            )
          );
        })}
      </div>
    </div>
  );
}

/** The title of a column. The title of a column that can be sorted by is a button. */
function ColumnHead({ column, sort, onSort }: { column: Column } & Pick<TableProps, 'sort' | 'onSort'>) {
  const { title, right, sort: own } = column;
  const isSorted = own === sort;
  return (
    <span
      role="columnheader"
      class={right ? 'right' : undefined}
      aria-sort={own === undefined ? undefined : isSorted ? 'descending' : 'none'}
    >
      {own === undefined ? (
        title
      ) : (
        <button
          type="button"
          class="sorts"
          title={own === 'created_at' ? 'Newest first' : 'Largest first'}
          onClick={() => onSort(isSorted ? 'created_at' : own)}
        >
          {title}
          <span aria-hidden="true">{isSorted ? ' ↓' : ''}</span>
        </button>
      )}
    </span>
  );
}

/**
 * Assigns the visible rows to fixed slots: a new row takes the element of one that has left, which costs much less
 * than a new element.
 */
function slotsOf(first: number, last: number): number[] {
  const count = Math.ceil((last - first) / SLOT_STEP) * SLOT_STEP;
  if (count === 0) return [];
  return Array.from({ length: count }, (_, slot) => first + ((((slot - first) % count) + count) % count));
}

interface RowProps extends Pick<TableProps, 'onActive' | 'onOpen' | 'onSelect'> {
  log: LogSummary;
  index: number;
  columns: Column[];
  /** A text that represents the columns, so that a row is drawn again when they change. */
  layout: string;
  rowPx: number;
  selected: boolean;
  active: boolean;
}

const Row = memo(
  function Row({ log, index, columns, rowPx, selected, active, onActive, onOpen, onSelect }: RowProps) {
    return (
      <div
        role="row"
        id={`log-${log.id}`}
        class={active ? 'grid-row active' : 'grid-row'}
        aria-rowindex={index + 2}
        aria-selected={selected}
        style={{ transform: `translateY(${index * rowPx}px)` }}
        onClick={() => {
          onActive(index);
          onOpen(log);
        }}
      >
        <span role="gridcell" class="check">
          <input
            type="checkbox"
            tabIndex={-1}
            checked={selected}
            aria-label="Select this log"
            onClick={(event) => {
              event.stopPropagation();
              onSelect(index, event.shiftKey);
            }}
          />
        </span>
        {columns.map((column) => (
          <span key={column.name} role="gridcell" class={column.right ? 'right' : undefined}>
            {column.show(log)}
          </span>
        ))}
      </div>
    );
  },
  (before, after) =>
    before.log === after.log &&
    before.index === after.index &&
    before.layout === after.layout &&
    before.selected === after.selected &&
    before.active === after.active,
);

/** Keeps what the reader looks at in its place when logs are added above it. */
function useScrollPlace(
  scroller: { current: HTMLDivElement | null },
  logs: LogSummary[],
  rowPx: number,
): void {
  const before = useRef<LogSummary[]>(logs);
  useLayoutEffect(() => {
    const element = scroller.current;
    const oldFirst = before.current[0];
    const place = oldFirst === undefined ? -1 : logs.findIndex(({ id }) => id === oldFirst.id);
    if (element && place > 0 && element.scrollTop >= rowPx) element.scrollTop += place * rowPx;
    before.current = logs;
  }, [logs]);
}

function keepInSight(element: HTMLDivElement, index: number, rowPx: number, headPx: number): void {
  if (index < 0) return;
  const top = index * rowPx;
  if (top < element.scrollTop) element.scrollTop = top;
  else if (top + rowPx + headPx > element.scrollTop + element.clientHeight) {
    element.scrollTop = top + rowPx + headPx - element.clientHeight;
  }
}
