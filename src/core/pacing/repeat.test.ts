import { describe, expect, it } from 'vitest';
import { eachInTurn, repeat } from './repeat.js';

describe('a step that is repeated', () => {
  it('makes no promise where it waits for nothing', () => {
    let left = 5;
    expect(repeat(() => --left > 0)).toBeUndefined();
    expect(left).toBe(0);
  });

  it('is not called again before what it waits for has come', async () => {
    const seen: string[] = [];
    let count = 0;
    const pending = repeat(async () => {
      const own = ++count;
      seen.push(`begin ${own}`);
      await Promise.resolve();
      seen.push(`end ${own}`);
      return own < 3;
    });
    expect(seen).toEqual(['begin 1']);
    await pending;
    expect(seen).toEqual(['begin 1', 'end 1', 'begin 2', 'end 2', 'begin 3', 'end 3']);
  });

  it('may wait in the middle, and continues until it returns false', async () => {
    let count = 0;
    await repeat(() => {
      count++;
      return count === 3 ? Promise.resolve(true) : count < 6;
    });
    expect(count).toBe(6);
  });

  it.each([2, 5])('passes on what it throws in its call %i, and stops', async (at) => {
    let count = 0;
    const run = async () =>
      repeat(() => {
        count++;
        if (count === at) throw new Error('broken');
        return count === 3 ? Promise.resolve(true) : true;
      });
    await expect(run()).rejects.toThrow('broken');
    expect(count).toBe(at);
  });

  it('lets other work run once it has lasted for a piece of time', async () => {
    const seen: string[] = [];
    // The first pause may end in the round in which it began, so there are steps enough for several.
    let left = 8;
    const pending = repeat(() => {
      const end = performance.now() + 6;
      while (performance.now() < end);
      seen.push('step');
      return --left > 0;
    });
    setImmediate(() => seen.push('other work'));
    await pending;
    expect(seen.indexOf('other work')).toBeLessThan(seen.lastIndexOf('step'));
  });
});

describe('items that are handled in turn', () => {
  it('are handled at once where none of them waits', () => {
    const seen: number[] = [];
    expect(eachInTurn([1, 2, 3], (item) => void seen.push(item))).toBeUndefined();
    expect(eachInTurn([], () => Promise.reject(new Error('there is none')))).toBeUndefined();
    expect(seen).toEqual([1, 2, 3]);
  });

  it('wait for the one before them', async () => {
    const seen: number[] = [];
    await eachInTurn([1, 2, 3], async (item) => {
      if (item === 2) await Promise.resolve();
      seen.push(item);
    });
    expect(seen).toEqual([1, 2, 3]);
  });
});
