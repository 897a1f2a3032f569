import { describe, expect, it } from 'vitest';
import { HeavyWork } from './heavy-work.js';

const LARGE = 1024 * 1024;

function workFor(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

describe('heavy work', () => {
  it('is done at once where there is little of it', () => {
    expect(new HeavyWork().turn(1_000)).toBeUndefined();
  });

  it('is done step by step, with other work in between', async () => {
    const heavy = new HeavyWork();
    const seen: string[] = [];
    const steps = ['first', 'second'].map(async (name) => {
      await heavy.turn(LARGE);
      workFor(5);
      seen.push(name);
    });
    const other = (async () => {
      while (!seen.includes('first')) await new Promise((resolve) => setImmediate(resolve));
      seen.push('other');
    })();
    await Promise.all([...steps, other]);
    expect(seen).toEqual(['first', 'other', 'second']);
  });
});
