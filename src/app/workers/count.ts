import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../../config/config.js';
import { engineSocket } from '../../envoy/names.js';

/**
 * The number of workers that `engine.workers` means on this machine. Envoy's configuration and the engine both use
 * this function.
 */
export function workerCount({ workers }: Config['engine']): number {
  return workers === 'auto' ? availableParallelism() : workers;
}

/** The sockets of an engine: one for each worker. */
export function socketsOf(engine: Config['engine'], dataFolder: string): string[] {
  const count = workerCount(engine);
  if (count === 1) return [join(dataFolder, engineSocket())];
  return Array.from({ length: count }, (_none, index) => join(dataFolder, engineSocket(index + 1)));
}
