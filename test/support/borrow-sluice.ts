import { randomUUID } from 'node:crypto';
import { dirname } from 'node:path';
import { inject } from 'vitest';
import { waitFor } from '../../src/local/processes/wait.js';
import { noteKeptSystem } from './kept-systems.js';
import { PROVIDER_KEYS } from './provider-keys.js';
import { type Sluice, startSluice } from './start-sluice.js';

export interface Borrowed {
  sluice: Sluice;
  giveBack(): Promise<void>;
}

const IN_FORCE = 'the changed configuration is in force';

let kept: Sluice | undefined;
let isLent = false;

/**
 * The engine and Envoy that this process keeps for its test files, with this configuration and no other. They are for
 * files that look at what their own requests leave: logs of other files lie in the same database, and counters go on.
 * Whoever ends, stalls or measures a process, or needs an environment of its own, starts a system of its own.
 */
export async function borrowSluice(config: string): Promise<Borrowed> {
  if (isLent) throw new Error('a test file borrows one system at a time');
  const isSound = kept?.engine.running === true && kept.envoy.running;
  if (kept !== undefined && isSound) await replaceConfig(kept, config);
  else kept = await startKept(config);
  isLent = true;
  return {
    sluice: kept,
    giveBack: async () => {
      isLent = false;
    },
  };
}

async function startKept(config: string): Promise<Sluice> {
  await kept?.stop();
  const sluice = await startSluice({ config, environment: PROVIDER_KEYS });
  await noteKeptSystem(inject('keptSystems'), {
    pids: [sluice.engine.pid, sluice.envoy.pid],
    directory: dirname(sluice.configPath),
  });
  return sluice;
}

async function replaceConfig(sluice: Sluice, config: string): Promise<void> {
  const replacements = async () => (await sluice.engineLog()).split(IN_FORCE).length;
  const before = await replacements();
  // The comment makes it another text: one that did not change is not read again.
  await sluice.writeConfig(`${config}\n# ${randomUUID()}\n`);
  await waitFor(
    'the configuration of the test file is in force',
    async () => {
      if ((await replacements()) > before) return true;
      throw new Error((await sluice.engineLog()).slice(-2_000));
    },
    { timeoutMs: 20_000, intervalMs: 20 },
  );
}
