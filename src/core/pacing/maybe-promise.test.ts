import { describe, expect, it } from 'vitest';
import { isLater, recover, settle } from './maybe-promise.js';

describe('a value that may come later', () => {
  it('is passed on at once where it exists already', () => {
    expect(settle(2, (value) => value + 1)).toBe(3);
  });

  it('is passed on when it arrives', async () => {
    const settled = settle(Promise.resolve(2), (value) => value + 1);
    expect(settled).toBeInstanceOf(Promise);
    expect(await settled).toBe(3);
  });

  it('says whether it comes later', () => {
    expect(isLater(Promise.resolve(2))).toBe(true);
    expect(isLater(2)).toBe(false);
    expect(isLater(undefined)).toBe(false);
  });

  it('fails as its promise does', async () => {
    await expect(settle(Promise.reject(new Error('lost')), () => 1)).rejects.toThrow('lost');
  });
});

describe('an error', () => {
  const failed = (thrown: unknown) => (thrown as Error).message;

  it('is caught at once where it is thrown at once', () => {
    const fail = () => {
      throw new Error('now');
    };
    expect(recover(fail, failed)).toBe('now');
    expect(recover(() => 1, failed)).toBe(1);
  });

  it('is caught when it comes', async () => {
    expect(await recover(() => Promise.reject(new Error('later')), failed)).toBe('later');
  });
});
