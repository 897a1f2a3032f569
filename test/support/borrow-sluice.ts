import { randomUUID } from 'node:crypto';
import { dirname } from 'node:path';
import { inject } from 'vitest';
import { waitFor } from '../../src/local/processes/wait.js';
import { noteKeptSystem } from './kept-systems.js';
import { PROVIDER_KEYS } from './provider-keys.js';
import { type Sluice, startSluice } from './start-sluice.js';
import type { Way } from './ways.js';

export interface Borrowed {
  sluice: Sluice;
  giveBack(): Promise<void>;
}

const IN_FORCE = 'the changed configuration is active';

let kept: Sluice | undefined;
let isLent = false;

/**
 * The engine and Envoy that this process keeps for its test files, with this configuration and no other. They are for
 * files that look at what their own requests leave: logs of other files lie in the same database, and counters go on.
 * So do the failures of a model of the same name: one that fails for long has a name that no other file gives.
 * Whoever ends, stalls or measures a process, or needs an environment of its own, starts a system of its own.
 */
export async function borrowSluice(config: string, way?: Way): Promise<Borrowed> {
  // Its manifests name the providers of this configuration.
  if (way !== undefined) return startOwn(config, way);
  // Where a file failed before it could give its system back, those after it are none the worse.
  if (isLent) return startOwn(config);
  const sluice = (await withConfig(kept, config)) ?? (await startKept(config));
  isLent = true;
  return {
    sluice,
    giveBack: async () => {
      isLent = false;
    },
  };
}

async function startOwn(config: string, way?: Way): Promise<Borrowed> {
  const sluice = await startSluice({ config, environment: PROVIDER_KEYS, way });
  return { sluice, giveBack: () => sluice.stop() };
}

async function startKept(config: string): Promise<Sluice> {
  await kept?.stop();
  kept = undefined;
  const sluice = await startSluice({ config, environment: PROVIDER_KEYS });
  const pids = [sluice.engine.pid, sluice.envoy.pid];
  await noteKeptSystem(inject('keptSystems'), pids, dirname(sluice.configPath));
  kept = sluice;
  return sluice;
}

/** The system with this configuration; undefined where there is none, or it does not take it up. */
async function withConfig(sluice: Sluice | undefined, config: string): Promise<Sluice | undefined> {
  if (sluice === undefined || !sluice.engine.running || !sluice.envoy.running) return undefined;
  const replacements = async () => (await sluice.engineLog()).split(IN_FORCE).length;
  const before = await replacements();
  // The comment makes it another text: one that did not change is not read again.
  await sluice.writeConfig(`${config}\n# ${randomUUID()}\n`);
  const isInForce = async () => (await replacements()) > before;
  return waitFor('the configuration is in force', isInForce, { timeoutMs: 20_000, intervalMs: 20 }).then(
    () => sluice,
    () => undefined,
  );
}
