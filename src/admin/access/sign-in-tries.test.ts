import { describe, expect, it } from 'vitest';
import { SignInTries } from './sign-in-tries.js';

describe('tries to sign in with wrong keys', () => {
  const setUp = () => {
    let now = 1000;
    const tries = new SignInTries({ now: () => now, monotonic: () => now });
    const isPaused = (address: string) => tries.pauseOf(address) > 0;
    return { tries, isPaused, wait: (ms: number) => (now += ms) };
  };

  it('are free four times, and then delayed, each longer than the one before, up to a minute', () => {
    const { tries, isPaused, wait } = setUp();
    for (let count = 0; count < 4; count++) tries.fail('a');
    expect(isPaused('a')).toBe(false);
    for (const pauseMs of [1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]) {
      tries.fail('a');
      wait(pauseMs - 1);
      expect(isPaused('a')).toBe(true);
      wait(1);
      expect(isPaused('a')).toBe(false);
    }
  });

  it('delay only their own address, and are forgotten after a right key', () => {
    const { tries, isPaused } = setUp();
    for (let count = 0; count < 6; count++) tries.fail('a');
    expect([isPaused('a'), isPaused('b')]).toEqual([true, false]);
    tries.succeed('a');
    expect(isPaused('a')).toBe(false);
  });
});
