import { describe, expect, it, vi } from 'vitest';
import { nextRoundOfLoop, Pace } from './pace.js';

function workFor(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

describe('work in pieces', () => {
  it('continues while a piece is short', () => {
    expect(new Pace(() => Promise.reject(new Error('no turn was due'))).pauseAmongValues()).toBeUndefined();
  });

  it('waits for its turn after a long piece, and then begins a new one', async () => {
    let turns = 0;
    const pace = new Pace(async () => {
      turns++;
    });
    workFor(10);
    await pace.pause();
    expect(turns).toBe(1);
    workFor(10);
    await pace.pause();
    expect(turns).toBe(2);
  });

  it('shares one piece with other work of the same round of the event loop', async () => {
    let now = 1_000;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
    let turns = 0;
    const turn = async () => {
      turns++;
    };
    const workForMs = async (ms: number) => {
      const pace = new Pace(turn);
      now += ms;
      await pace.pause();
    };
    await nextRoundOfLoop();
    await workForMs(3);
    expect(turns).toBe(0);
    await workForMs(3);
    expect(turns).toBe(1);
    await nextRoundOfLoop();
    await workForMs(3);
    expect(turns).toBe(1);
    clock.mockRestore();
  });

  it('reads the clock once for many small values, and more often for long texts', async () => {
    const valuesUntilPause = async (units: number) => {
      const pace = new Pace();
      workFor(10);
      let values = 1;
      for (let pause = pace.pauseAmongValues(units); pause === undefined; values++) {
        pause = pace.pauseAmongValues(units);
        if (pause !== undefined) await pause;
      }
      return values;
    };
    expect(await valuesUntilPause(0)).toBe(256);
    expect(await valuesUntilPause(64 * 255)).toBeLessThan(3);
  });

  it('lets other work run where no turns are given', async () => {
    const pace = new Pace();
    let ran = false;
    setImmediate(() => {
      ran = true;
    });
    workFor(10);
    await pace.pause();
    expect(ran).toBe(true);
  });
});
