import { afterEach, describe, expect, it, vi } from 'vitest';
import { changeMany } from './bulk.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('a change to many logs', () => {
  it('continues, and reports its end, though the service does not answer for a while', async () => {
    const job = { state: 'running', matched: 5, changed: 5, total: 9 };
    const answers = [
      () => Response.json({ job_id: 'j', change_id: 'c' }, { status: 202 }),
      () => Response.json(job),
      () => Promise.reject(new TypeError('Failed to fetch')),
      () => Response.json({ error: { code: 'storage_unavailable', message: 'No.' } }, { status: 503 }),
      () => Response.json({ ...job, state: 'done', matched: 9, changed: 9 }),
    ];
    vi.stubGlobal('fetch', async () => answers.shift()!());
    vi.useFakeTimers();
    const seen: number[] = [];
    const words = changeMany('p', { ids: [] }, { add_tags: ['a'] }, ({ matched }) => seen.push(matched));
    words.catch(() => {});
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await words).toBe('9 logs of 9 changed.');
    expect(seen).toEqual([5, 9]);
  });

  it('says why some logs were not changed', async () => {
    const skipped = { feedback: 2, metadata: 1 };
    vi.stubGlobal('fetch', async () => Response.json({ matched: 3, changed: 0, skipped }));
    expect(await changeMany('p', { ids: [] }, { add_tags: ['a'] }, () => {})).toBe(
      '0 logs of 3 changed. 2 have all the feedback that they may have. 1 would have too much metadata.',
    );
  });
});
