import { describe, expect, it } from 'vitest';
import { Pulse } from './pulse.js';

const dueFor = (pulse: Pulse, beats: number) => Array.from({ length: beats }, () => pulse.due());

describe('the pulse of a worker', () => {
  it('is lost after fifteen missing beats, and reported once', () => {
    const pulse = new Pulse();
    pulse.beat();
    expect(dueFor(pulse, 40).flatMap((lost, index) => (lost ? [index + 1] : []))).toEqual([15]);
  });

  it('exists as long as it beats now and then', () => {
    const pulse = new Pulse();
    for (let time = 0; time < 10; time++) {
      pulse.beat();
      expect(dueFor(pulse, 14)).not.toContain(true);
    }
  });

  it('is not expected before its first beat, while the worker is loading', () => {
    expect(dueFor(new Pulse(), 100)).not.toContain(true);
  });
});
