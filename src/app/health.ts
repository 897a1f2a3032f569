import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { HealthReport, PartState } from '../admin/dependencies.js';
import type { LiveDirectory } from '../directory/directory.js';
import { envoyIsLive } from '../envoy/envoy-state.js';
import { ENVOY_ADMIN_SOCKET } from '../envoy/names.js';
import type { Store } from '../store/store.js';

/** Less than what probes wait for an answer, a second by default: a MongoDB that stalls must not make us unready. */
const PING_PATIENCE_MS = 500;

/** What `/healthz/ready` tells. A MongoDB that is away after the start degrades, and does not make unready. */
export class Health {
  engineReady = false;

  constructor(
    private readonly store: Store,
    private readonly directory: LiveDirectory,
    private readonly dataDirectory: string,
    private readonly env: NodeJS.ProcessEnv,
  ) {}

  async report(): Promise<HealthReport> {
    const { origin, degraded } = this.directory.state();
    const [mongodb, envoy] = await Promise.all([this.#mongodb(), this.#envoy()]);
    const directory: PartState = origin === 'nowhere' ? 'starting' : degraded ? 'degraded' : 'ready';
    const parts: Record<string, PartState> = {
      engine: this.engineReady ? 'ready' : 'starting',
      directory,
      mongodb,
      ...(envoy === undefined ? {} : { envoy }),
    };
    return { ready: this.engineReady && directory !== 'starting' && envoy !== 'starting', parts };
  }

  async #mongodb(): Promise<PartState> {
    const answer = this.store.ping().then(
      () => 'ready' as const,
      () => 'degraded' as const,
    );
    return Promise.race([answer, delay(PING_PATIENCE_MS, 'degraded' as const, { ref: false })]);
  }

  /** Undefined where nobody said that an Envoy is started with us and none is there. */
  async #envoy(): Promise<PartState | undefined> {
    const socket = join(this.dataDirectory, ENVOY_ADMIN_SOCKET);
    if (this.env.SLUICE_WITH_ENVOY !== '1' && !existsSync(socket)) return undefined;
    return (await envoyIsLive(socket)) ? 'ready' : 'starting';
  }
}
