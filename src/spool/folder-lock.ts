import { randomUUID } from 'node:crypto';
import { link, readdir, readFile, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { identityOf, isRunning, type ProcessIdentity } from '../process/process-identity.js';

/*
 * Ensures that only one process works in a spool folder. The file `lock.<n>` with the highest n names the holder. A process
 * that finds the holder dead creates `lock.<n+1>`; the file system lets only one process do so.
 */
const LOCK = /^lock\.(\d+)$/;

export interface FolderLock {
  release(): Promise<void>;
}

/** Locks the folder. Undefined where a live process, which may be this one, already holds it. */
export async function lockFolder(folder: string): Promise<FolderLock | undefined> {
  const held = await lockNumbers(folder);
  const last = held.at(-1);
  if (last !== undefined && (await holderLives(lockPath(folder, last)))) return undefined;
  const mine = (last ?? 0) + 1;
  if (!(await createLock(folder, mine))) return undefined;
  // A slow process could have taken a number that two other processes have already used and released.
  if ((await lockNumbers(folder)).some((number) => number > mine)) {
    await remove(lockPath(folder, mine));
    return undefined;
  }
  for (const number of held) await remove(lockPath(folder, number));
  return { release: () => remove(lockPath(folder, mine)) };
}

/** Whether a live process holds the folder. */
export async function isLocked(folder: string): Promise<boolean> {
  const last = (await lockNumbers(folder)).at(-1);
  return last !== undefined && (await holderLives(lockPath(folder, last)));
}

/** Creates the file with its content in one step, so that it is never seen empty. */
async function createLock(folder: string, number: number): Promise<boolean> {
  const temporary = join(folder, `lock-${randomUUID()}.tmp`);
  await writeFile(temporary, JSON.stringify(identityOf(process.pid)));
  try {
    await link(temporary, lockPath(folder, number));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await remove(temporary);
  }
}

async function holderLives(path: string): Promise<boolean> {
  let holder: Partial<ProcessIdentity>;
  try {
    holder = JSON.parse(await readFile(path, 'utf8')) as Partial<ProcessIdentity>;
  } catch {
    return false; // The lock was released meanwhile, or its file was emptied by a power failure.
  }
  const { pid, started } = holder;
  return pid !== undefined && started !== undefined && isRunning({ pid, started });
}

async function lockNumbers(folder: string): Promise<number[]> {
  const numbers: number[] = [];
  for (const name of await readdir(folder)) {
    const match = LOCK.exec(name);
    if (match !== null) numbers.push(Number(match[1]));
  }
  return numbers.sort((a, b) => a - b);
}

function lockPath(folder: string, number: number): string {
  return join(folder, `lock.${number}`);
}

async function remove(path: string): Promise<void> {
  await unlink(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
}
