import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { silentLogger } from '../../test/support/silent-logger.js';
import type { SluiceError } from '../core/errors.js';
import { type OpenRequest, setDrainDeadline } from './drain-deadline.js';

const MINUTE = 60_000;

describe('the drain of an engine', () => {
  let open: Set<OpenRequest>;
  let errors: SluiceError[];
  let warnings: object[];
  let destroyed: number;

  beforeEach(() => {
    vi.useFakeTimers();
    [open, errors, warnings, destroyed] = [new Set(), [], [], 0];
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  const logger = { ...silentLogger, warn: (fields: object) => void warnings.push(fields) };
  const destroy = () => void destroyed++;
  const set = () => setDrainDeadline(() => [...open], { logger, destroy });
  const add = (totalTimeoutMs?: number) => {
    const request = {
      totalTimeoutMs,
      giveUp: (error: SluiceError) => {
        errors.push(error);
        if (totalTimeoutMs !== undefined) open.delete(request);
      },
    };
    open.add(request);
  };

  it('ends what is still open after ten minutes, and says so', () => {
    add(MINUTE);
    add(MINUTE);
    set();
    vi.advanceTimersByTime(10 * MINUTE - 1);
    expect(errors).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(errors).toHaveLength(2);
    expect(errors[0]).toMatchObject({ code: 'upstream_timeout', message: expect.stringContaining('600 s') });
    expect(warnings).toEqual([{ requests: 2, waited_ms: 10 * MINUTE }]);
  });

  it('waits longer where the endpoint of a request allows more', () => {
    add(15 * MINUTE);
    add(MINUTE);
    set();
    vi.advanceTimersByTime(15 * MINUTE - 1);
    expect(errors).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(errors).toHaveLength(2);
  });

  it('cuts requests off that go on although they were ended', () => {
    add();
    set();
    vi.advanceTimersByTime(10 * MINUTE + 4_999);
    expect([errors.length, destroyed]).toEqual([1, 0]);
    vi.advanceTimersByTime(1);
    expect(destroyed).toBe(1);
  });

  it.each([0, 10 * MINUTE])('does nothing more once it is over, after %i ms', (passed) => {
    add();
    const clear = set();
    vi.advanceTimersByTime(passed);
    clear();
    vi.advanceTimersByTime(20 * MINUTE);
    expect([errors.length, destroyed]).toEqual([passed === 0 ? 0 : 1, 0]);
  });
});
