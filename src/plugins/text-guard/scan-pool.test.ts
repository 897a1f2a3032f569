import { afterEach, describe, expect, it } from 'vitest';
import { NotSeen } from './found.js';
import { newScannerId, ScanPool, type ScanWork, threadsFor } from './scan-pool.js';

const ADDRESS = 'anna.schmidt@example.org';
const config = { language: 'en', score_threshold: 0.5, entities: ['EMAIL_ADDRESS'] };

function work(texts: string[], more: Partial<ScanWork> = {}): ScanWork {
  const { signal } = new AbortController();
  return {
    scanner: newScannerId(),
    spec: { kind: 'pii', options: config },
    texts,
    units: texts.join('').length,
    budgetMs: 60_000,
    signal,
    ...more,
  };
}

describe('how many threads an engine may start', () => {
  it.each([
    [1, 1, 1],
    [2, 1, 1],
    [3, 1, 2],
    [8, 1, 4],
    [64, 1, 4],
    [2, 2, 1],
    [4, 2, 1],
    [8, 2, 3],
    [8, 8, 1],
    [2, 16, 1],
  ])('on %d processors, one of %d engines: %d', (processors, engines, threads) => {
    expect(threadsFor(processors, engines)).toBe(threads);
  });
});

describe('the threads that check texts', () => {
  let pool = new ScanPool();
  afterEach(async () => {
    await pool.close();
    pool = new ScanPool();
  });

  it('find what is in each text, even where it takes several messages', async () => {
    const long = `${'a '.repeat(600_000)}${ADDRESS}`;
    const found = await pool.scan(work([ADDRESS, 'nothing', long]));
    expect(found).toEqual([
      [{ type: 'EMAIL_ADDRESS', start: 0, end: 24, score: 1 }],
      [],
      [{ type: 'EMAIL_ADDRESS', start: 1_200_000, end: 1_200_024, score: 1 }],
    ]);
  });

  it('refuse a text that takes more work than the limit', async () => {
    const text = 'Anna Schmidt lives in Berlin. '.repeat(20_000);
    await expect(pool.scan(work([text], { budgetMs: 1 }))).rejects.toThrow('within 1 ms of work on 600000');
  });

  it('refuse texts while too many are in progress, and accept them afterwards', async () => {
    pool = new ScanPool(100);
    const first = pool.scan(work(['x'.repeat(90)]));
    await expect(pool.scan(work(['x'.repeat(20)]))).rejects.toThrow(NotSeen);
    await first;
    expect(await pool.scan(work(['x'.repeat(20)]))).toEqual([[]]);
  });

  it('stop with a text whose client has left', async () => {
    const leaving = new AbortController();
    const scan = pool.scan(work([ADDRESS], { signal: leaving.signal }));
    leaving.abort(new Error('gone'));
    await expect(scan).rejects.toThrow('gone');
  });

  it('refuse the texts of a thread that ended, and continue in another one', async () => {
    const scan = pool.scan(work([ADDRESS]));
    const refused = expect(scan).rejects.toThrow(NotSeen);
    await pool.close();
    await refused;
    expect(await pool.scan(work(['nothing']))).toEqual([[]]);
  });
});
