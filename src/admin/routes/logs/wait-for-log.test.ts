import { describe, expect, it } from 'vitest';
import { lookUntil } from './wait-for-log.js';

describe('waiting for a log that may still be on its way', () => {
  const clock = { now: () => 0, monotonic: () => 0 };

  it('makes the waiting logs of the spool be written, and finds the one among them', async () => {
    let written = false;
    const shipLogsNow = () => {
      written = true;
    };
    expect(await lookUntil({ clock, shipLogsNow }, 1000, async () => (written ? 'log' : undefined))).toBe(
      'log',
    );
  });

  it('does not ask the spool where the log is already stored', async () => {
    const shipLogsNow = () => {
      throw new Error('asked');
    };
    expect(await lookUntil({ clock, shipLogsNow }, 1000, async () => 'log')).toBe('log');
  });

  it('gives up after a time', async () => {
    let now = 0;
    const passing = { now: () => 0, monotonic: () => (now += 400) };
    expect(await lookUntil({ clock: passing }, 1000, async () => undefined)).toBeUndefined();
  });
});
