import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { waitFor } from '../../src/local/processes/wait.js';
import { COMPLETION, type Gateway, startGateway } from '../support/gateway.js';
import { openStreams } from '../support/open-streams.js';
import { jsonReply } from '../support/replies.js';
import { missingPrograms } from '../support/start-sluice.js';

const DAY_MS = 86_400_000;
const PRELOAD = new URL('../support/jumping-clock.mjs', import.meta.url).href;

/* Somebody sets the machine's time, by a day forwards and backwards, while requests are under way. */
describe.skipIf(missingPrograms !== null)('a clock that jumps', () => {
  const folder = mkdtempSync(join(tmpdir(), 'clock-'));
  const file = join(folder, 'offset');
  let gateway: Gateway;

  beforeAll(async () => {
    writeFileSync(file, '0');
    gateway = await startGateway({
      environment: { NODE_OPTIONS: `--import=${PRELOAD}`, CLOCK_OFFSET_FILE: file },
    });
  });
  afterAll(async () => {
    await gateway?.stop();
    rmSync(folder, { recursive: true });
  });

  /** The wall clock of the engine is off by so much once a log of now says so. */
  async function jump(offsetMs: number): Promise<void> {
    writeFileSync(file, String(offsetMs));
    const isThere = async () => {
      const { created_at } = await gateway.log((await gateway.ask()).id);
      return Math.abs(new Date(created_at).getTime() - Date.now() - offsetMs) < 60_000;
    };
    await waitFor('the engine has the new time', isThere, { timeoutMs: 30_000 });
  }

  it.each([DAY_MS, -DAY_MS, 0])(
    'by %d ms: streams end whole, each request has its log, nothing is restarted',
    async (offset) => {
      const { engine, envoy } = gateway.sluice;
      const pids = [engine.pid, envoy.pid];
      const streams = await openStreams(gateway, 4);
      gateway.provider.always(jsonReply(COMPLETION));
      await jump(offset);
      expect(await streams.finish()).toBe(4);
      gateway.provider.always(jsonReply(COMPLETION));
      const answers = await Promise.all(Array.from({ length: 20 }, () => gateway.ask()));
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
      for (const id of [...(streams.ids as string[]), ...answers.map((answer) => answer.id)]) {
        const { status, timing } = await gateway.log(id);
        expect(status).toBe('success');
        expect(timing.total_ms).toBeGreaterThan(0);
        expect(timing.total_ms).toBeLessThan(60_000);
      }
      expect([engine.running, envoy.running, engine.pid, envoy.pid]).toEqual([true, true, ...pids]);
      const ready = await fetch(`${gateway.sluice.adminUrl}/healthz/ready`);
      expect(ready.status).toBe(200);
    },
  );
});
