import { describe, expect, it } from 'vitest';
import { whereLongInTurns } from './long-work.js';

/** Each step is longer than a piece of work may be. */
function* steps(count: number): Generator<void, string> {
  for (let step = 1; step < count; step++) {
    const end = performance.now() + 5;
    while (performance.now() < end);
    yield;
  }
  return 'done';
}

describe('work in steps', () => {
  it('is done at once where it is one step', () => {
    expect(whereLongInTurns(steps(1))).toBe('done');
  });

  it('lets other work run where it is long', async () => {
    const seen: string[] = [];
    setImmediate(() => seen.push('other'));
    seen.push(await whereLongInTurns(steps(3)));
    expect(seen).toEqual(['other', 'done']);
  });
});
