import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { StreamTimer } from './stream-timer.js';

describe('the timer of a stream', () => {
  let rings: number;
  let timer: StreamTimer;
  beforeEach(() => {
    vi.useFakeTimers();
    rings = 0;
    timer = new StreamTimer(() => rings++);
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('rings once, when it is due', () => {
    timer.set(100);
    vi.advanceTimersByTime(98);
    expect(rings).toBe(0);
    vi.advanceTimersByTime(1_000);
    expect(rings).toBe(1);
  });

  it('rings later when it is postponed', () => {
    timer.set(100);
    vi.advanceTimersByTime(90);
    timer.set(100);
    vi.advanceTimersByTime(90);
    timer.set(100);
    vi.advanceTimersByTime(98);
    expect(rings).toBe(0);
    vi.advanceTimersByTime(2);
    expect(rings).toBe(1);
  });

  it('rings earlier when it is brought forward', () => {
    timer.set(1_000);
    timer.set(10);
    vi.advanceTimersByTime(10);
    expect(rings).toBe(1);
    vi.advanceTimersByTime(2_000);
    expect(rings).toBe(1);
  });

  it('never rings after it was cleared, nor with infinity', () => {
    timer.set(10);
    timer.clear();
    timer.set(10);
    timer.set(Number.POSITIVE_INFINITY);
    vi.advanceTimersByTime(10_000);
    expect([rings, vi.getTimerCount()]).toEqual([0, 0]);
  });

  it('can be set again after it rang', () => {
    timer.set(10);
    vi.advanceTimersByTime(10);
    timer.set(10);
    vi.advanceTimersByTime(10);
    expect(rings).toBe(2);
  });

  it('rings at once for a time that has passed', () => {
    timer.set(-5);
    vi.advanceTimersByTime(1);
    expect(rings).toBe(1);
  });

  it('waits longer than Node can in one go', () => {
    const days = 24 * 60 * 60 * 1_000;
    timer.set(40 * days);
    vi.advanceTimersByTime(39 * days);
    expect(rings).toBe(0);
    vi.advanceTimersByTime(days);
    expect(rings).toBe(1);
  });

  it('needs one timer of Node, however often it is postponed', () => {
    for (let event = 0; event < 100; event++) {
      timer.set(1_000);
      vi.advanceTimersByTime(1);
    }
    expect(vi.getTimerCount()).toBe(1);
  });
});
