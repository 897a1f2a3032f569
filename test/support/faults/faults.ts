import { setTimeout as sleep } from 'node:timers/promises';
import { waitFor } from '../../../src/local/processes/wait.js';
import type { FaultSystem } from './fault-system.js';
import type { Load } from './load.js';
import { between, type Random } from './seeded-random.js';

export interface Fault {
  name: string;
  /** Whether this fault needs a small disk. */
  needsDisk?: boolean;
  /** Causes the fault and ends it again, while the load continues. */
  strike(scene: Scene): Promise<void>;
}

export interface Scene {
  system: FaultSystem;
  load: Load;
  random: Random;
  /** How long a process is stopped, in milliseconds. */
  stallMs: number;
}

const PATIENCE_MS = 60_000;

export const FAULTS: readonly Fault[] = [
  { name: 'the engine is killed', strike: killEngine },
  { name: 'mongod is killed', strike: killMongod },
  { name: 'the engine and mongod are killed', strike: killBoth },
  { name: 'mongod stands still', strike: stopMongod },
  { name: 'the disk is full', needsDisk: true, strike: fillDisk },
];

async function killEngine({ system: { gateway } }: Scene): Promise<void> {
  await gateway.sluice.engine.kill();
  await gateway.sluice.engine.start();
}

/** Kills MongoDB. Calls of models must continue without it. */
async function killMongod({ system: { mongod }, load, random }: Scene): Promise<void> {
  await mongod.kill();
  await load.moreAnswers(between(random, 1, 50));
  await mongod.restart();
}

/** Kills engine and MongoDB. The engine must start without MongoDB, with its copy of the directory. */
async function killBoth({ system: { gateway, mongod }, load, random }: Scene): Promise<void> {
  await Promise.all([gateway.sluice.engine.kill(), mongod.kill()]);
  await gateway.sluice.engine.start();
  await load.moreAnswers(between(random, 1, 50));
  await mongod.restart();
}

async function stopMongod({ system: { mongod }, stallMs }: Scene): Promise<void> {
  process.kill(mongod.pid, 'SIGSTOP');
  try {
    await sleep(stallMs);
  } finally {
    process.kill(mongod.pid, 'SIGCONT');
  }
}

/** Lets another writer fill the disk, and take the room that shipping frees, until some requests were refused. */
async function fillDisk({ system, load, random }: Scene): Promise<void> {
  const disk = system.disk!;
  const enough = load.counts.refused + between(random, 1, 50);
  try {
    await waitFor(
      'requests are refused',
      () => {
        disk.fill();
        return load.counts.refused >= enough;
      },
      { timeoutMs: PATIENCE_MS, intervalMs: 5 },
    );
  } finally {
    disk.free();
  }
}
