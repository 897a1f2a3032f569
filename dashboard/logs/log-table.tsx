import { memo } from 'preact/compat';
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { LogSummary } from '../api/client.ts';
import { useNarrow } from '../app/narrow.ts';
import { useStore } from '../app/store.ts';
import { type Column, chosenColumns, columnsNamed, leastWidth, NARROW_COLUMN } from './columns.tsx';
import type { ListState, Sort } from './log-list.ts';

/** A line of a table; on a phone a log has three lines. */
const ROW_PX = { wide: 36, narrow: 84 };
const HEAD_PX = { wide: 36, narrow: 0 };
/** The boxes to select by, and the space at both ends. */
const EDGES_PX = 66;
const GAP_PX = 10;
/** Rows kept ready above and below what is seen. */
const SPARE = 4;
/** Their number goes in such steps, so that it seldom changes. */
const SLOT_STEP = 8;
/** Older logs are asked for when fewer than this are left below. */
const LOAD_AHEAD = 100;

export interface TableProps {
  state: ListState;
  selected: ReadonlySet<string>;
  active: number;
  onActive: (index: number) => void;
  onOpen: (log: LogSummary) => void;
  onSelect: (index: number, range: boolean) => void;
  onNearEnd: () => void;
  /** Whether the reader sees the newest log. */
  onTop: (atTop: boolean) => void;
  sort: Sort;
  onSort: (sort: Sort) => void;
}

/** Shows only the rows in sight, whatever their number. */
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
  const columns = narrow ? [NARROW_COLUMN] : columnsNamed(chosen);
  const rowPx = narrow ? ROW_PX.narrow : ROW_PX.wide;
  const headPx = narrow ? HEAD_PX.narrow : HEAD_PX.wide;
  const [view, setView] = useState({ top: 0, height: 800 });
  useScrollPlace(scroller, logs, rowPx);

  const look = useCallback(() => {
    if (scroller.current === null) return;
    const { scrollTop, clientHeight } = scroller.current;
    setView((before) => {
      // A step of rows at a time: what would show the same is not drawn again.
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
  // Not where logs that came above it move its place: the reader may look elsewhere.
  useEffect(() => {
    keepInSight(scroller.current as HTMLDivElement, active, rowPx, headPx);
  }, [activeLog?.id]);

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

/** Its title; one that sorts is a button. */
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
 * The rows in sight, each in a place of its own: a row that comes takes the element of one that went, which costs
 * much less than a new one.
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
  /** A row is drawn again when this changes: it stands for the columns. */
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

/** What the reader looks at stays where it is when logs come in above it. */
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
