import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { missingPrograms, startSluice } from '../../support/start-sluice.js';

/** Every write to it fails as on a full disk. */
const FULL = '/dev/full';
const cannotRun = missingPrograms !== null || !existsSync(FULL);

describe.skipIf(cannotRun)('an engine whose standard output is on a full disk', () => {
  it('still serves, and ends in order', async () => {
    const sluice = await startSluice({ config: '{}', engineLogPath: FULL, envoy: false });
    try {
      const { status } = await fetch(`${sluice.adminUrl}/healthz/live`);
      expect(status).toBe(200);
      expect(await sluice.engine.stop()).toEqual({ code: 0, signal: null });
    } finally {
      await sluice.stop();
    }
  });
});
