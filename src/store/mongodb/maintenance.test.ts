import { beforeEach, describe, expect, it } from 'vitest';
import { startMaintenance } from './maintenance.js';
import { storageUnavailable } from './storage-errors.js';

describe('maintenance', () => {
  let warnings: string[];
  const logger = {
    debug: () => {},
    info: () => {},
    warn: (_: object, message: string) => void warnings.push(message),
    error: () => {},
  };

  beforeEach(() => {
    warnings = [];
  });

  /** Lets a chore run that is due. */
  const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

  it('does each chore at once and then at its interval, until it is stopped', async () => {
    let runs = 0;
    const maintenance = startMaintenance([{ name: 'sweeping', everyMs: 1, run: async () => runs++ }], logger);
    await expect.poll(() => runs).toBeGreaterThan(3);
    await maintenance.stop();
    const after = runs;
    await nextTurn();
    expect(runs).toBe(after);
  });

  it('continues after a failure, and reports an outage once', async () => {
    let runs = 0;
    const run = async () => {
      runs++;
      throw storageUnavailable(new Error('away'));
    };
    const maintenance = startMaintenance([{ name: 'sweeping', everyMs: 1, run }], logger);
    await expect.poll(() => runs).toBeGreaterThan(3);
    await maintenance.stop();
    expect(warnings).toEqual(['sweeping failed and is tried again']);
  });

  it('waits for the current chore, which is told to stop', async () => {
    const seen: string[] = [];
    const run = async (signal: AbortSignal) => {
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      await nextTurn();
      seen.push('ended');
    };
    const maintenance = startMaintenance([{ name: 'sweeping', everyMs: 1, run }], logger);
    await maintenance.stop();
    expect(seen).toEqual(['ended']);
  });
});
