import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readEnvironment } from '../config/environment.js';
import { EnvoyAdmin } from '../envoy/envoy-admin.js';
import { DRAINED_FILE, ENVOY_ADMIN_SOCKET } from '../envoy/names.js';

/**
 * Drains the Envoy of this data directory: load balancers get time to notice, then requests in flight finish. The
 * stop hook of a container may wait for the file `drained`. Returns 0 even where no Envoy is running.
 */
export async function drain({ delay }: { delay: number }): Promise<number> {
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
    await envoy.drain((line) => console.log(line));
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
