import { call, type LogSummary } from '../api/client.ts';
import { createSignal } from '../app/signal.ts';

const PAGE = 200;
/** The size of the first page: more logs than a screen shows, but few enough to arrive soon. */
const FIRST_PAGE = 60;
/** How many of the newest logs are read to find new ones. */
const LOOK = 30;

export interface ListState {
  logs: LogSummary[];
  /** Whether there are older logs to load. */
  more: boolean;
  loading: boolean;
  error: Error | undefined;
  /** How many logs arrived above while the reader was further down. */
  arrived: number;
  /** How many of the newest logs were looked through, where the list ends there although older logs could match. */
  searched: number | undefined;
}

/** What the list is sorted by; the newest or the largest log comes first. */
export type Sort = 'created_at' | 'duration' | 'first_token' | 'cost' | 'tokens';

/**
 * The logs of a filter, the newest or the largest first. Pages are loaded at the end, and new logs are put at the
 * beginning.
 */
export class LogList {
  readonly changed = createSignal<void>();
  readonly #known = new Map<string, number>();
  readonly #abort = new AbortController();
  #state: ListState = {
    logs: [],
    more: true,
    loading: false,
    error: undefined,
    arrived: 0,
    searched: undefined,
  };
  #cursor: string | undefined;
  /** How many logs all pages together looked through. */
  #looked = 0;
  #checking: Promise<void> | undefined;
  #checkAgain = false;

  constructor(
    readonly projectUid: string,
    readonly filter: URLSearchParams,
    readonly sort: Sort = 'created_at',
  ) {}

  get state(): ListState {
    return this.#state;
  }

  /** Loads the next older page, unless it is being loaded already. */
  async loadMore(): Promise<void> {
    if (this.#state.loading || !this.#state.more) return;
    this.#update({ loading: true, error: undefined });
    // The check for new logs may start the list again, with another cursor.
    await this.#checking;
    try {
      const { data, next_cursor, searched } = await this.#ask(
        this.#cursor,
        this.#cursor === undefined ? FIRST_PAGE : PAGE,
      );
      this.#cursor = next_cursor ?? undefined;
      const fresh = data.filter(({ id }) => !this.#known.has(id));
      // All pages of a sorted list are of the same logs.
      this.#looked = (this.sort === 'created_at' ? this.#looked : 0) + (searched ?? data.length);
      this.#setLogs([...this.#state.logs, ...fresh], {
        more: next_cursor !== null,
        loading: false,
        searched: searched === undefined ? undefined : this.#looked,
      });
    } catch (error) {
      if (!this.#abort.signal.aborted) this.#update({ loading: false, error: error as Error });
    }
    this.#lookAgain();
  }

  /** Looks for new logs. Calls that come while it is busy are answered by one further look. */
  checkForNew(): void {
    // Where the list begins with the largest logs, new logs appear only when it is loaded again.
    if (this.sort !== 'created_at') return;
    if (this.#checking || this.#state.loading) {
      this.#checkAgain = true;
      return;
    }
    this.#checking = this.#check().finally(() => {
      this.#checking = undefined;
      this.#lookAgain();
    });
  }

  #lookAgain(): void {
    if (!this.#checkAgain || this.#abort.signal.aborted) return;
    this.#checkAgain = false;
    this.checkForNew();
  }

  async #check(): Promise<void> {
    try {
      const newest = this.#state.logs[0];
      const isFresh = ({ id }: LogSummary) => !this.#known.has(id);
      let { data, next_cursor, searched } = await this.#ask(undefined, LOOK);
      if (data.every(isFresh) && next_cursor !== null) {
        ({ data, next_cursor, searched } = await this.#ask(undefined));
      }
      const fresh = data.filter(isFresh);
      // More logs arrived than one page holds, so some in between are unknown and the list starts again.
      if (newest !== undefined && fresh.length === data.length && next_cursor !== null) {
        this.#cursor = next_cursor;
        this.#looked = searched ?? data.length;
        this.#setLogs(data, {
          more: true,
          searched: searched && this.#looked,
          arrived: this.#state.arrived + fresh.length,
        });
        return;
      }
      const byId = new Map(data.map((log) => [log.id, log]));
      const kept = this.#state.logs.map((log) => newer(log, byId.get(log.id)));
      const logs = [...fresh, ...kept].sort(newestFirst);
      this.#setLogs(logs, { arrived: this.#state.arrived + fresh.length, error: undefined });
    } catch {
      // The next event asks again. An outage is shown at the top of the page.
    }
  }

  seen(): void {
    if (this.#state.arrived > 0) this.#update({ arrived: 0 });
  }

  /** Shows a log in its state after a change. */
  replace(changed: LogSummary): void {
    const at = this.#known.get(changed.id);
    if (at === undefined) return;
    const logs = [...this.#state.logs];
    logs[at] = changed;
    this.#update({ logs });
  }

  indexOf(id: string): number {
    return this.#known.get(id) ?? -1;
  }

  close(): void {
    this.#abort.abort();
  }

  #ask(cursor: string | undefined, limit = PAGE) {
    const query = new URLSearchParams(this.filter);
    query.set('limit', String(limit));
    if (this.sort !== 'created_at') query.set('sort', this.sort);
    if (cursor !== undefined) query.set('cursor', cursor);
    return call('GET /{project_uid}/logs', {
      params: { project_uid: this.projectUid },
      query,
      signal: this.#abort.signal,
    });
  }

  #setLogs(logs: LogSummary[], rest: Partial<ListState>): void {
    this.#known.clear();
    logs.forEach(({ id }, index) => {
      this.#known.set(id, index);
    });
    this.#update({ logs, ...rest });
  }

  #update(change: Partial<ListState>): void {
    this.#state = { ...this.#state, ...change };
    this.changed.tell();
  }
}

/** Returns the same object where nothing changed, so that its row is not drawn again. */
function newer(log: LogSummary, read: LogSummary | undefined): LogSummary {
  return read === undefined || JSON.stringify(read) === JSON.stringify(log) ? log : read;
}

function newestFirst(a: LogSummary, b: LogSummary): number {
  if (a.created_at !== b.created_at) return a.created_at < b.created_at ? 1 : -1;
  return a.id < b.id ? 1 : -1;
}

const SORTS: readonly Sort[] = ['created_at', 'duration', 'first_token', 'cost', 'tokens'];

/** The sort order in an address. */
export function sortOf(query: URLSearchParams): Sort {
  return SORTS.find((sort) => sort === query.get('sort')) ?? 'created_at';
}

/** The query of an address with this filter and order. */
export function queryFor(filter: URLSearchParams, sort: Sort): URLSearchParams {
  const query = new URLSearchParams(filter);
  if (sort !== 'created_at') query.set('sort', sort);
  return query;
}

let current: LogList | undefined;

/**
 * The list for a filter. It is kept while the filter stays the same, so that a reader who comes back from a log finds
 * it again.
 */
export function listFor(projectUid: string, filter: URLSearchParams, sort: Sort = 'created_at'): LogList {
  const isSame = current?.projectUid === projectUid && current.filter.toString() === filter.toString();
  if (current !== undefined && isSame && current.sort === sort) return current;
  current?.close();
  current = new LogList(projectUid, filter, sort);
  return current;
}

/** Drops the kept list, for example after a change to many logs. */
export function forgetList(): void {
  current?.close();
  current = undefined;
  listForgotten.tell();
}

export const listForgotten = createSignal<void>();

export function shownList(): LogList | undefined {
  return current;
}
