import { useCallback, useEffect, useMemo, useReducer, useRef, useState } from 'preact/hooks';
import type { LogSummary } from '../api/client.ts';
import { recovered } from '../app/health.ts';
import { useShortcuts } from '../app/keyboard.ts';
import { useNarrow } from '../app/narrow.ts';
import { go, linkTo, place, replaceWith } from '../app/router.ts';
import { session } from '../app/session.ts';
import { useStore } from '../app/store.ts';
import { Button } from '../ui/button.tsx';
import { formatCount, plural } from '../ui/format.ts';
import { Popover } from '../ui/popover.tsx';
import { Empty, Failure, Loading } from '../ui/states.tsx';
import { COLUMNS, chosenColumns } from './columns.tsx';
import { filterOf } from './filter.ts';
import { FilterBar } from './filter-bar.tsx';
import { watchForNew } from './live.ts';
import { type LogList, listFor, listForgotten, queryFor, type Sort, sortOf } from './log-list.ts';
import { LogTable } from './log-table.tsx';
import { useSelection } from './selection.ts';
import { SelectionBar } from './selection-bar.tsx';
import { SortChoice } from './sort-choice.tsx';
import { Views } from './views.tsx';

/** The log that the reader opened last, for coming back to it. */
let lastSeen: string | undefined;

export function rememberSeen(id: string): void {
  lastSeen = id;
}

export function LogsPage({ projectUid }: { projectUid: string }) {
  const { query } = useStore(place);
  const filter = useMemo(() => filterOf(query), [query.toString()]);
  const sort = sortOf(query);
  const narrow = useNarrow();
  const list = useList(projectUid, filter, sort);
  const { state } = list;
  const [activeId, setActiveId] = useState(lastSeen);
  const active = activeId === undefined ? -1 : list.indexOf(activeId);
  const setActive = useCallback((index: number) => setActiveId(list.state.logs[index]?.id), [list]);
  const selection = useSelection(state.logs, `${projectUid} ${filter}`);
  const atTop = useRef(true);
  const setFilter = useCallback(
    (next: URLSearchParams) => replaceWith(linkTo([projectUid, 'logs'], queryFor(next, sort))),
    [projectUid, sort],
  );
  const setSort = useCallback(
    (next: Sort) => replaceWith(linkTo([projectUid, 'logs'], queryFor(filter, next))),
    [projectUid, filter],
  );
  const open = useCallback(
    (log: LogSummary) => go(linkTo([projectUid, 'logs', log.id], queryFor(filter, sort))),
    [projectUid, filter, sort],
  );
  const step = (by: number) => setActive(Math.max(0, Math.min(state.logs.length - 1, active + by)));
  const toTop = () => {
    setActive(0);
    document.querySelector('.grid')?.scrollTo({ top: 0 });
  };
  useShortcuts('Logs', [
    { key: 'j', what: 'Next log', run: () => step(1), repeats: true },
    { key: 'k', what: 'Previous log', run: () => step(-1), repeats: true },
    { key: 'ArrowDown', what: 'Next log', run: () => step(1), repeats: true },
    { key: 'ArrowUp', what: 'Previous log', run: () => step(-1), repeats: true },
    { key: 'Enter', what: 'Open the log', run: () => state.logs[active] && open(state.logs[active]) },
    { key: 'o', what: 'Open the log', run: () => state.logs[active] && open(state.logs[active]) },
    { key: 'x', what: 'Select the log', run: () => active >= 0 && selection.toggle(active, false) },
    { key: 'Escape', what: 'Clear the selection', run: () => selection.clear() },
    { key: 'Home', what: 'Go to the newest log', run: toTop },
  ]);
  const onTop = useCallback(
    (isTop: boolean) => {
      atTop.current = isTop;
      if (isTop) list.seen();
    },
    [list],
  );
  useEffect(() => {
    if (atTop.current) list.seen();
  }, [list, state.arrived]);
  // Beyond what was looked through, a page may find nothing, so the reader says whether to look further.
  const onNearEnd = useCallback(() => {
    const { error, searched } = list.state;
    if (error === undefined && (searched === undefined || sort !== 'created_at')) void list.loadMore();
  }, [list, sort]);

  return (
    <section class="page logs-page" aria-label="Logs">
      <header class="page-head">
        <h1>Logs</h1>
        <div class="tools">
          <Views projectUid={projectUid} filter={filter} onChange={setFilter} />
          {narrow ? <SortChoice sort={sort} onSort={setSort} /> : <ColumnChoice />}
        </div>
      </header>
      <FilterBar projectUid={projectUid} filter={filter} onChange={setFilter} />
      <div class="table-place">
        {state.arrived > 0 && !atTop.current && (
          <button type="button" class="arrived" onClick={toTop}>
            {plural(state.arrived, 'new log')} ↑
          </button>
        )}
        {state.logs.length > 0 ? (
          <LogTable
            state={state}
            selected={selection.ids}
            active={active}
            onActive={setActive}
            onOpen={open}
            onSelect={selection.toggle}
            onNearEnd={onNearEnd}
            onTop={onTop}
            sort={sort}
            onSort={setSort}
          />
        ) : state.error ? (
          <Failure error={state.error} onRetry={() => void list.loadMore()} />
        ) : state.loading || (state.more && state.searched === undefined) ? (
          <Loading what="logs" />
        ) : state.more ? (
          <Empty title="No log matches this filter yet.">
            <p class="muted">
              Looked through the newest {formatCount(state.searched ?? 0)} logs. There are older ones.
            </p>
            <Button onClick={() => void list.loadMore()}>Look further</Button>
          </Empty>
        ) : (
          <NoLogs projectUid={projectUid} filtered={filter.size > 0} />
        )}
      </div>
      <SelectionBar projectUid={projectUid} list={list} filter={filter} selection={selection} />
    </section>
  );
}

function NoLogs({ projectUid, filtered }: { projectUid: string; filtered: boolean }) {
  return filtered ? (
    <Empty title="No log matches this filter.">
      <p class="muted">Remove a condition, or wait: new logs that match appear here.</p>
    </Empty>
  ) : (
    <Empty title="There is no log yet.">
      <p class="muted">
        Send a request through the gateway, for example from the{' '}
        <a href={linkTo([projectUid, 'playground'])}>playground</a>. Its log will appear here.
      </p>
      {session.get()?.kind === 'admin' && (
        <p>
          <a href={linkTo(['admin', 'endpoints', projectUid])}>Endpoint, key and an example to paste</a>
        </p>
      )}
    </Empty>
  );
}

function ColumnChoice() {
  const chosen = useStore(chosenColumns);
  const toggle = (name: string) =>
    chosenColumns.set(chosen.includes(name) ? chosen.filter((one) => one !== name) : [...chosen, name]);
  return (
    <Popover label="Choose columns" icon="columns" text="Columns">
      {() => (
        <fieldset class="choices">
          <legend class="hidden">Columns</legend>
          {COLUMNS.map(({ name, title }) => (
            <label key={name}>
              <input type="checkbox" checked={chosen.includes(name)} onChange={() => toggle(name)} />
              {title}
            </label>
          ))}
        </fieldset>
      )}
    </Popover>
  );
}

/** The list for the filter. Its first page is loaded, and new logs are added by themselves. */
function useList(projectUid: string, filter: URLSearchParams, sort: Sort): LogList {
  const [round, again] = useReducer((before: number) => before + 1, 0);
  const [, draw] = useReducer((before: number) => before + 1, 0);
  const list = useMemo(() => listFor(projectUid, filter, sort), [projectUid, filter, sort, round]);
  useEffect(() => {
    const stop = list.changed.listen(() => draw(undefined));
    if (list.state.logs.length === 0) void list.loadMore();
    else list.checkForNew();
    const stopWatching = watchForNew(projectUid, () => list.checkForNew());
    const stopRecovery = recovered.listen(() => {
      if (list.state.error) void list.loadMore();
      else list.checkForNew();
    });
    return () => {
      stop();
      stopWatching();
      stopRecovery();
    };
  }, [list]);
  useEffect(() => listForgotten.listen(() => again(undefined)), []);
  return list;
}
