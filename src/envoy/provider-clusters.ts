import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Provider } from '../core/settings.js';
import { clusterUpdates } from './envoy-state.js';
import { ENVOY_ADMIN_SOCKET, providerCluster } from './names.js';
import { writeClusters } from './write-clusters.js';

const LOOK_INTERVAL_MS = 20;
/** An Envoy that takes longer than this to load the clusters file has refused it, or does not watch it. */
const PATIENCE_MS = 3_000;

/** The clusters that Envoy knows. A provider's cluster exists before the first request for it. */
export class ProviderClusters {
  #written = new Map<string, Provider>();
  #inForce = new Map<string, Provider>();

  constructor(
    private readonly file: string,
    private readonly dataFolder: string,
  ) {}

  /** Adds new and moved providers to the existing ones. Resolves once Envoy, where one runs, has loaded them. */
  async add(providers: Iterable<Provider>): Promise<void> {
    await this.#write(new Map([...this.#written, ...byCluster(providers)]));
  }

  /**
   * Writes the new clusters together with those that they replace, because requests in flight may still use the old
   * ones. Other clusters are removed.
   */
  async replace(providers: Iterable<Provider>): Promise<void> {
    const before = this.#inForce;
    this.#inForce = byCluster(providers);
    await this.#write(new Map([...before, ...this.#inForce]));
  }

  async #write(providers: Map<string, Provider>): Promise<void> {
    const socket = join(this.dataFolder, ENVOY_ADMIN_SOCKET);
    const before = await clusterUpdates(socket);
    this.#written = providers;
    const changed = writeClusters(this.file, providers.values());
    if (!changed || before === undefined) return;
    const deadline = performance.now() + PATIENCE_MS;
    while (performance.now() < deadline) {
      const now = await clusterUpdates(socket);
      if (now === undefined || now > before) return;
      await sleep(LOOK_INTERVAL_MS);
    }
  }
}

function byCluster(providers: Iterable<Provider>): Map<string, Provider> {
  return new Map([...providers].map((provider) => [providerCluster(provider), provider]));
}
