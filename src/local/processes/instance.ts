import { readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { identityOf, isRunning, type ProcessIdentity } from '../../process/process-identity.js';

/** The settings of a running `npm start`, which other commands read. */
interface Instance {
  launcher: ProcessIdentity;
  /** The configuration file that the operator gave. The served one can be a copy with the mock model. */
  source: string;
  environment: Record<string, string>;
}

/** The copy of a configuration with the mock model, in the data directory. */
export const SERVED_FILE = 'served.yaml';
/** The names of its providers. */
export const MOCK_PROVIDERS = ['mock', 'mock-anthropic'] as const;

/** Whether `npm start` added this part of a configuration, such as `providers.mock`. */
export function isAddedByStart(file: string, path: string): boolean {
  return basename(file) === SERVED_FILE && MOCK_PROVIDERS.some((name) => path === `providers.${name}`);
}

const pathIn = (dataFolder: string) => join(dataFolder, 'instance.json');

/**
 * Writes the settings to a file that only its owner can read, because it contains secrets. Returns a function that
 * removes it.
 */
export async function writeInstance(
  dataFolder: string,
  source: string,
  environment: Record<string, string>,
): Promise<() => Promise<void>> {
  const instance: Instance = { launcher: identityOf(process.pid)!, source, environment };
  const path = pathIn(dataFolder);
  await rm(path, { force: true });
  await writeFile(path, JSON.stringify(instance), { mode: 0o600 });
  return () => rm(path, { force: true });
}

/**
 * The environment for a command, completed by the settings of the `npm start` that runs on the same data directory.
 * `file` is the configuration that the command names.
 */
export function withInstance(env: NodeJS.ProcessEnv, file = env.SLUICE_CONFIG): NodeJS.ProcessEnv {
  const named = file === undefined ? {} : { SLUICE_CONFIG: file };
  const instance = readInstance(env.SLUICE_DATA_DIR ?? '.sluice');
  if (instance === undefined || !isRunning(instance.launcher)) return { ...env, ...named };
  const isServed = file !== undefined && resolve(file) === instance.source;
  const served = instance.environment.SLUICE_CONFIG!;
  return { ...instance.environment, ...env, ...named, ...(isServed ? { SLUICE_CONFIG: served } : {}) };
}

function readInstance(dataFolder: string): Instance | undefined {
  try {
    return JSON.parse(readFileSync(pathIn(dataFolder), 'utf8')) as Instance;
  } catch {
    // No `npm start` runs there, or its file belongs to another user.
    return undefined;
  }
}
