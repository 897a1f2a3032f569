import { afterEach, describe, expect, it, vi } from 'vitest';
import { LogList } from './log-list.ts';

const PATIENCE = { timeout: 20_000 };

/** A service with so many logs, whose answers wait until a test lets them go. */
function service(count: number) {
  const logs = Array.from({ length: count }, (_, index) => made(index));
  const waiting: (() => void)[] = [];
  vi.stubGlobal('fetch', async (url: string) => {
    const query = new URL(url, 'http://localhost').searchParams;
    const limit = Number(query.get('limit'));
    // As the service reads them: newest first, older than the cursor.
    const older = [...logs].reverse().filter(({ id }) => !query.has('cursor') || id < query.get('cursor')!);
    const data = older.slice(0, limit);
    const next_cursor = older.length > limit ? data.at(-1)!.id : null;
    await new Promise<void>((resolve) => waiting.push(resolve));
    return Response.json({ data, next_cursor });
  });
  return {
    arrive: (more: number) => {
      for (let one = 0; one < more; one++) logs.push(made(logs.length));
    },
    answer: async () => {
      await vi.waitFor(() => expect(waiting.length).toBeGreaterThan(0), PATIENCE);
      waiting.shift()!();
    },
    ids: () => logs.map(({ id }) => id).reverse(),
  };
}

const made = (index: number) => ({
  id: String(index).padStart(6, '0'),
  created_at: String(index).padStart(6, '0'),
});
const idsOf = (list: LogList) => list.state.logs.map(({ id }) => id);

afterEach(() => vi.unstubAllGlobals());

describe('the list of logs', () => {
  it('has a log that landed while its first page was being loaded', async () => {
    const { arrive, answer, ids } = service(3);
    const list = new LogList('p', new URLSearchParams());
    const loading = list.loadMore();
    arrive(1);
    list.checkForNew();
    await answer();
    await loading;
    await answer();
    await vi.waitFor(() => expect(idsOf(list)).toEqual(ids()), PATIENCE);
  });

  it('has no gap where it is reloaded while an older page is being loaded', async () => {
    const { arrive, answer, ids } = service(100);
    const list = new LogList('p', new URLSearchParams());
    const first = list.loadMore();
    await answer();
    await first;
    arrive(1000);
    list.checkForNew();
    const older = list.loadMore();
    // The look, the page that it needs more, and the older page.
    for (let round = 0; round < 3; round++) await answer();
    await older;
    expect(idsOf(list)).toEqual(ids().slice(0, list.state.logs.length));
    expect(list.state.logs.length).toBeGreaterThan(200);
  });
});
