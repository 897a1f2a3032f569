import { describe, expect, it } from 'vitest';
import { lookUntil } from './wait-for-log.js';

describe('waiting for a log that may still be on its way', () => {
  const clock = { now: () => 0, monotonic: () => 0 };

  it('has the logs written that wait in the spool, and finds the one that came with them', async () => {
    let written = false;
    const shipLogsNow = () => {
      written = true;
    };
    expect(await lookUntil({ clock, shipLogsNow }, 1000, async () => (written ? 'log' : undefined))).toBe(
      'log',
    );
  });

  it('asks nothing of the spool where the log is there', async () => {
    const shipLogsNow = () => {
      throw new Error('asked');
    };
    expect(await lookUntil({ clock, shipLogsNow }, 1000, async () => 'log')).toBe('log');
  });

  it('finds nothing once its patience is over', async () => {
    let now = 0;
    const passing = { now: () => 0, monotonic: () => (now += 400) };
    expect(await lookUntil({ clock: passing }, 1000, async () => undefined)).toBeUndefined();
  });
});
