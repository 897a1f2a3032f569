import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { HealthReport, PartState } from '../admin/dependencies.js';
import { counted } from '../core/texts/counted.js';
import type { LiveDirectory } from '../directory/directory.js';
import { envoyIsLive } from '../envoy/envoy-state.js';
import { ENVOY_ADMIN_SOCKET } from '../envoy/names.js';
import type { Storage } from './storage.js';

/**
 * Shorter than the time that probes wait for an answer, a second by default: a stalled MongoDB must not make this
 * process unready.
 */
const PING_PATIENCE_MS = 500;

/** A changed configuration file that has mistakes and is not used. */
export interface RefusedConfig {
  /** The number of its mistakes. */
  mistakes: number;
  at: Date;
}

export interface HealthSources {
  /** Checks of other parts that must answer, by their name. */
  pings: Storage['pings'];
  directory: Pick<LiveDirectory, 'state'>;
  /** The engine; absent in an admin service, which has no Envoy. */
  engine?: { readonly ready: boolean; parts?(): Record<string, PartState> };
  dataFolder: string;
  env: NodeJS.ProcessEnv;
  refused?(): RefusedConfig | undefined;
}

/**
 * What `/healthz/ready` reports. Where MongoDB becomes unreachable after the start, the process is degraded but stays
 * ready.
 */
export class Health {
  /** Whether all parts are up; false again during shutdown. */
  started = false;

  constructor(private readonly sources: HealthSources) {}

  async report(): Promise<HealthReport> {
    const { engine, directory: source } = this.sources;
    const refused = this.sources.refused?.();
    const { origin, staleSince } = source.state();
    const [answers, envoy] = await Promise.all([this.#ask(), this.#envoy()]);
    const directory: PartState =
      origin === 'nowhere' ? 'starting' : staleSince === undefined ? 'ready' : 'degraded';
    const workers = engine?.parts?.() ?? {};
    const own: PartState = this.started && engine?.ready !== false ? allOr(workers, 'degraded') : 'starting';
    const parts: Record<string, PartState> = {
      [engine === undefined ? 'admin' : 'engine']: own,
      ...workers,
      directory,
      ...answers,
      ...(envoy === undefined ? {} : { envoy }),
      ...(refused === undefined ? {} : { configuration: 'degraded' as const }),
    };
    const details = {
      ...(staleSince === undefined ? {} : { directory: ageOf(staleSince) }),
      ...(refused === undefined ? {} : { configuration: aboutRefused(refused) }),
    };
    return {
      ready: own !== 'starting' && directory !== 'starting' && envoy !== 'starting',
      parts,
      ...(Object.keys(details).length === 0 ? {} : { details }),
    };
  }

  async #ask(): Promise<Record<string, PartState>> {
    const answers = Object.entries(this.sources.pings).map(
      async ([name, ping]): Promise<[string, PartState]> => {
        const answer = ping().then(
          () => 'ready' as const,
          () => 'degraded' as const,
        );
        return [
          name,
          await Promise.race([answer, delay(PING_PATIENCE_MS, 'degraded' as const, { ref: false })]),
        ];
      },
    );
    return Object.fromEntries(await Promise.all(answers));
  }

  /** The state of Envoy; undefined where none is expected and none is running. */
  async #envoy(): Promise<PartState | undefined> {
    const { engine, dataFolder, env } = this.sources;
    if (engine === undefined) return undefined;
    const socket = join(dataFolder, ENVOY_ADMIN_SOCKET);
    if (env.SLUICE_WITH_ENVOY !== '1' && !existsSync(socket)) return undefined;
    return (await envoyIsLive(socket)) ? 'ready' : 'starting';
  }
}

/** Anybody may read the report, so it shows nothing of the file. */
function aboutRefused({ mistakes, at }: RefusedConfig): string {
  const count = counted(mistakes, 'mistake');
  return `the file that was read at ${at.toISOString()} has ${count} and is not used; \`sluice check\` lists them`;
}

function ageOf(staleSince: number): string {
  const seconds = Math.max(0, Math.round((Date.now() - staleSince) / 1000));
  return `may be out of date: it could not be read for ${seconds} s`;
}

function allOr(parts: Record<string, PartState>, otherwise: PartState): PartState {
  return Object.values(parts).every((state) => state === 'ready') ? 'ready' : otherwise;
}
