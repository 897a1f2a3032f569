import { describe, expect, it } from 'vitest';
import { atOnce, runSteps, type Steps } from './steps.js';

/** Each step is longer than a piece of work may be. */
function* steps(count: number): Steps<string> {
  for (let step = 1; step < count; step++) {
    const end = performance.now() + 5;
    while (performance.now() < end);
    yield;
  }
  return 'done';
}

function* sum(values: readonly (number | Promise<number>)[]): Steps<number> {
  let total = 0;
  for (const value of values) {
    if (value instanceof Promise) yield value.then((late) => (total += late));
    else total += value;
  }
  return total;
}

describe('work in steps', () => {
  it('is done at once where it has one step', () => {
    expect(runSteps(steps(1))).toBe('done');
  });

  it('lets other work run where it is long', async () => {
    const seen: string[] = [];
    setImmediate(() => seen.push('other'));
    seen.push(await runSteps(steps(3)));
    expect(seen).toEqual(['other', 'done']);
  });

  it('is done at once where it does not wait for anything', () => {
    expect(runSteps(sum([1, 2]))).toBe(3);
  });

  it('continues after each promise that it waits for, in order', async () => {
    const pending = runSteps(sum([1, Promise.resolve(2), 3, Promise.resolve(4)]));
    expect(pending).toBeInstanceOf(Promise);
    expect(await pending).toBe(10);
  });

  it('fails when a promise fails that it waits for', async () => {
    await expect(runSteps(sum([Promise.reject(new Error('lost'))]))).rejects.toThrow('lost');
  });

  it('cannot wait where it must be done at once', () => {
    expect(() => atOnce(sum([Promise.resolve(1)]))).toThrow('cannot wait');
  });
});
