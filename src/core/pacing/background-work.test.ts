import { stat } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { BackgroundWork, backgroundPace } from './background-work.js';
import { nextRoundOfLoop, Pace } from './pace.js';

/** Calls `listen` in each round of the event loop until the result is called. */
function eachRound(listen: () => void): () => void {
  let isOver = false;
  const round = () => {
    if (isOver) return;
    listen();
    setImmediate(round);
  };
  setImmediate(round);
  return () => {
    isOver = true;
  };
}

describe('work in the background', () => {
  it('of several tasks takes one piece in a round, and the tasks take turns', async () => {
    const background = new BackgroundWork();
    let pieces = 0;
    let most = 0;
    const stop = eachRound(() => {
      most = Math.max(most, pieces);
      pieces = 0;
    });
    const seen: string[] = [];
    const task = async (name: string) => {
      for (let piece = 0; piece < 3; piece++) {
        await background.next();
        pieces++;
        seen.push(name);
      }
    };
    await Promise.all(['a', 'b', 'c'].map(task));
    stop();
    expect(most).toBe(1);
    expect(seen.join('')).toBe('abcabcabc');
  });

  it('waits until the answers of its round are written', async () => {
    const background = new BackgroundWork();
    const seen: string[] = [];
    // Goes on where the event loop has read a socket or a file: immediates of this round come next.
    await new Promise((resolve) => stat('.', resolve));
    const next = background.next().then(() => seen.push('background'));
    setImmediate(() => seen.push('written'));
    await next;
    expect(seen).toEqual(['written', 'background']);
  });

  it('pauses after a shorter piece than work for a request', async () => {
    let now = 1_000;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
    await nextRoundOfLoop();
    const paces = [new Pace(), backgroundPace()];
    now += 2;
    const pauses = paces.map((pace) => pace.pause());
    clock.mockRestore();
    expect(pauses.map((pause) => pause !== undefined)).toEqual([false, true]);
    await Promise.all(pauses);
  });
});
