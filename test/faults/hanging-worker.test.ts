import { expect, test } from 'vitest';
import { waitFor } from '../../src/local/processes/wait.js';
import { COMPLETION, startGateway } from '../support/gateway.js';
import { openStreams } from '../support/open-streams.js';
import { jsonReply } from '../support/replies.js';
import { missingPrograms } from '../support/start-sluice.js';
import { partStates, workerPids } from '../support/workers.js';

test.skipIf(missingPrograms !== null)(
  'a worker that hangs is ended and restarted, and the streams of the other one end whole',
  async () => {
    const gateway = await startGateway({ settings: { engine: { workers: 2 } } });
    try {
      const streams = await openStreams(gateway, 12);
      gateway.provider.always(jsonReply(COMPLETION));

      const [hanging, sound] = await workerPids(gateway);
      process.kill(hanging!, 'SIGSTOP');
      await waitFor(
        'another process has taken its place',
        async () => {
          const pids = await workerPids(gateway);
          const { engine } = await partStates(gateway);
          return !pids.includes(hanging!) && pids.length === 2 && engine === 'ready';
        },
        { timeoutMs: 60_000, intervalMs: 500 },
      );
      expect(await workerPids(gateway)).toContain(sound);

      const whole = await streams.finish();
      expect(whole).toBeGreaterThan(0);
      expect(whole).toBeLessThan(12);
      const later = await Promise.all(Array.from({ length: 20 }, () => gateway.ask()));
      expect(later.map(({ status }) => status)).toEqual(later.map(() => 200));
    } finally {
      await gateway.stop();
    }
  },
);
