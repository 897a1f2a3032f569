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
 * The engine and Envoy that this process keeps for its test files, with this configuration. They are for files that look only
 * at the effects of their own requests: logs of other files are in the same database, and counters continue. The failures of
 * a model continue too, so a model that fails for long must have a name that no other file uses. A file that ends, stops or
 * measures a process, or needs an environment of its own, must start a system of its own.
 */
export async function borrowSluice(config: string, way?: Way): Promise<Borrowed> {
  // Manifests for a control plane name the providers of this configuration, so this system cannot be shared.
  if (way !== undefined) return startOwn(config, way);
  // The previous test file failed before it returned the shared system, so this file gets a system of its own.
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

/**
 * The kept system with this configuration. Undefined where there is no kept system, or where it rejects the configuration.
 */
async function withConfig(sluice: Sluice | undefined, config: string): Promise<Sluice | undefined> {
  if (sluice === undefined || !sluice.engine.running || !sluice.envoy.running) return undefined;
  const replacements = async () => (await sluice.engineLog()).split(IN_FORCE).length;
  const before = await replacements();
  // The engine only reads a text that differs from the one before, so the comment makes each text different.
  await sluice.writeConfig(`${config}\n# ${randomUUID()}\n`);
  // It would notice by itself a little later.
  sluice.engine.signal('SIGHUP');
  const isActive = async () => (await replacements()) > before;
  return waitFor('the configuration is active', isActive, { timeoutMs: 20_000, intervalMs: 20 }).then(
    () => sluice,
    () => undefined,
  );
}
