import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startFakeProvider } from '../fake-provider.js';
import { CREDENTIAL, Gateway, gatewayConfig } from '../gateway.js';
import { type OwnMongod, startOwnMongod } from '../mongod.js';
import { SmallDisk } from '../small-disk.js';
import { startSluice } from '../start-sluice.js';
import { pacedModel } from './paced-model.js';

const DISK_BYTES = 64 << 20;

/** A running system whose parts can be ended. It writes everything to one small disk. */
export interface FaultSystem {
  gateway: Gateway;
  mongod: OwnMongod;
  /** The small disk. Undefined where none can be mounted; the data is then on the disk of the machine. */
  disk: SmallDisk | undefined;
  stop(): Promise<void>;
}

export async function startFaultSystem(): Promise<FaultSystem> {
  const cleanups: (() => unknown)[] = [];
  const stop = async () => {
    const failures: unknown[] = [];
    for (const cleanup of cleanups.splice(0).reverse()) {
      // A part that cannot be stopped must not leave the processes and mounts of the others behind.
      await Promise.resolve()
        .then(cleanup)
        .catch((error) => failures.push(error));
    }
    if (failures.length > 0) throw new AggregateError(failures, 'the system did not end cleanly');
  };
  try {
    const folder = await mkdtemp(join(tmpdir(), 'sluice-faults-'));
    cleanups.push(() => rm(folder, { recursive: true, force: true }));
    const dataFolder = join(folder, 'data');
    await mkdir(dataFolder);
    const disk = SmallDisk.mount(dataFolder, DISK_BYTES);
    cleanups.push(() => disk?.unmount());
    const mongod = await startOwnMongod();
    cleanups.push(() => mongod.stop());
    const provider = await startFakeProvider();
    provider.always(pacedModel);
    cleanups.push(() => provider.stop());
    const settings = { spool: { on_full: 'refuse' } };
    const sluice = await startSluice({
      config: JSON.stringify(gatewayConfig(provider.baseUrl, { settings })),
      environment: { FAKE_KEY: CREDENTIAL },
      mongodbUri: mongod.uri,
      dataFolder,
    });
    cleanups.push(() => sluice.stop());
    return { gateway: new Gateway(sluice, provider), mongod, disk, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
