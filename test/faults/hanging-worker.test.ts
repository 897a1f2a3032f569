import { expect, test } from 'vitest';
import { waitFor } from '../../src/local/processes/wait.js';
import { chunk } from '../support/chat.js';
import { COMPLETION, startGateway } from '../support/gateway.js';
import { ControlledStream, jsonReply } from '../support/replies.js';
import { missingPrograms } from '../support/start-sluice.js';
import { partStates, workerPids } from '../support/workers.js';

const LAST = `${chunk({}, 'stop')}data: [DONE]\n\n`;

test.skipIf(missingPrograms !== null)(
  'a worker that hangs is ended and started again; the streams of the other one end whole',
  async () => {
    const gateway = await startGateway({ settings: { engine: { workers: 2 } } });
    try {
      const streams = Array.from({ length: 12 }, () => new ControlledStream());
      gateway.provider.enqueue(...streams.map((stream) => stream.reply()));
      const opened = streams.map(() => gateway.open({ stream: true }));
      for (const stream of streams) await stream.send(chunk({ content: 'half' }));
      const answers = await Promise.all(opened);
      const texts = answers.map((answer) => answer.text().catch(() => 'broken'));
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

      for (const stream of streams) {
        await stream.send(LAST).catch(() => undefined);
        await stream.end().catch(() => undefined);
      }
      const whole = (await Promise.all(texts)).filter((text) => text.includes('[DONE]'));
      expect(whole.length).toBeGreaterThan(0);
      expect(whole.length).toBeLessThan(12);
      const later = await Promise.all(Array.from({ length: 20 }, () => gateway.ask()));
      expect(later.map(({ status }) => status)).toEqual(later.map(() => 200));
    } finally {
      await gateway.stop();
    }
  },
);
