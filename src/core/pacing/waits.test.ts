import { describe, expect, it } from 'vitest';
import { runWaits, type Waits } from './waits.js';

function* sum(values: readonly (number | Promise<number>)[]): Waits<number> {
  let total = 0;
  for (const value of values) {
    if (value instanceof Promise) yield value.then((late) => (total += late));
    else total += value;
  }
  return total;
}

describe('work that may have to wait', () => {
  it('gives its result at once where it waits for nothing', () => {
    expect(runWaits(sum([1, 2]))).toBe(3);
  });

  it('goes on behind each promise, in order', async () => {
    const pending = runWaits(sum([1, Promise.resolve(2), 3, Promise.resolve(4)]));
    expect(pending).toBeInstanceOf(Promise);
    expect(await pending).toBe(10);
  });

  it('ends with what a promise was rejected with', async () => {
    await expect(runWaits(sum([Promise.reject(new Error('lost'))]))).rejects.toThrow('lost');
  });
});
