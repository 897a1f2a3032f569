import type { ChildProcess } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { BEAT } from './channel.js';
import { watchPulse } from './watch-pulse.js';

const SILENCE_MS = 15_000;

describe('a worker', () => {
  let child: EventEmitter & { kill: (signal: string) => boolean };
  let seen: string[];
  let stop: () => void;

  beforeEach(() => {
    vi.useFakeTimers();
    seen = [];
    child = Object.assign(new EventEmitter(), {
      kill: (signal: string) => {
        seen.push(signal);
        return true;
      },
    });
    stop = watchPulse(child as unknown as ChildProcess, () => seen.push('hangs'));
  });
  afterEach(() => {
    stop();
    vi.useRealTimers();
  });

  it.each([
    ['its last heartbeat', BEAT],
    ['it has answered its start, and before its first heartbeat', { call: 1 }],
  ])('is killed once it is silent after %s', (_what, message) => {
    child.emit('message', message);
    vi.advanceTimersByTime(SILENCE_MS - 1);
    expect(seen).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(seen).toEqual(['hangs', 'SIGKILL']);
  });

  it('is not killed while it is loading, however long that takes', () => {
    vi.advanceTimersByTime(10 * SILENCE_MS);
    expect(seen).toEqual([]);
  });
});
