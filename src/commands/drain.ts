import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readEnvironment } from '../config/environment.js';
import { drainTimeOfFile } from '../envoy/drain-time.js';
import { EnvoyAdmin } from '../envoy/envoy-admin.js';
import { DRAINED_FILE, ENVOY_ADMIN_SOCKET } from '../envoy/names.js';

export interface DrainOptions {
  /** The configuration that Envoy serves, by default the one of the environment. */
  config?: string;
  /** How many seconds load balancers get to notice. */
  delay: number;
  /** How many seconds requests in flight get after that; by default what the endpoints of the configuration need. */
  timeout?: number;
}

/**
 * Drains the Envoy of this data directory: load balancers get time to notice, then requests in flight finish. The
 * stop hook of a container may wait for the file `drained`. Returns 0 even where no Envoy is running, and where requests
 * are still in flight after the timeout.
 */
export async function drain({ config, delay, timeout }: DrainOptions): Promise<number> {
  const result = readEnvironment(process.env);
  if ('mistakes' in result) {
    console.error(result.mistakes.join('\n'));
    return 1;
  }
  const data = resolve(result.environment.dataFolder);
  const envoy = new EnvoyAdmin(join(data, ENVOY_ADMIN_SOCKET));
  try {
    await envoy.failHealthCheck();
    await sleep(delay * 1000);
    const timeoutMs =
      timeout === undefined ? await drainTimeOfFile(config ?? result.environment.configFile) : timeout * 1000;
    await envoy.drain((line) => console.log(line), timeoutMs);
  } catch (error) {
    console.log(`no Envoy to drain: ${error instanceof Error ? error.message : String(error)}`);
  }
  try {
    await writeFile(join(data, DRAINED_FILE), '');
  } catch (error) {
    console.error(`${data} is not a data directory: ${(error as Error).message}. Set SLUICE_DATA_DIR.`);
    return 1;
  }
  return 0;
}
