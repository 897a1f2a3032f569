import { randomUUID } from 'node:crypto';
import { link, readdir, readFile, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { identityOf, isRunning, type ProcessIdentity } from '../process/process-identity.js';

/*
 * Which process works in a spool directory. The holder is named by the file `lock.<n>` with the highest n. Whoever
 * finds its holder dead makes `lock.<n+1>`; the file system lets only one process do so.
 */
const LOCK = /^lock\.(\d+)$/;

export interface DirectoryLock {
  release(): Promise<void>;
}

/** Undefined where a live process (this one too) holds the directory. */
export async function lockDirectory(directory: string): Promise<DirectoryLock | undefined> {
  const held = await lockNumbers(directory);
  const last = held.at(-1);
  if (last !== undefined && (await holderLives(lockPath(directory, last)))) return undefined;
  const mine = (last ?? 0) + 1;
  if (!(await createLock(directory, mine))) return undefined;
  // One that was slower than two others could have taken a number that is used up.
  if ((await lockNumbers(directory)).some((number) => number > mine)) {
    await remove(lockPath(directory, mine));
    return undefined;
  }
  for (const number of held) await remove(lockPath(directory, number));
  return { release: () => remove(lockPath(directory, mine)) };
}

/** Whether a live process holds the directory. */
export async function isLocked(directory: string): Promise<boolean> {
  const last = (await lockNumbers(directory)).at(-1);
  return last !== undefined && (await holderLives(lockPath(directory, last)));
}

/** The file appears with its content or not at all. */
async function createLock(directory: string, number: number): Promise<boolean> {
  const temporary = join(directory, `lock-${randomUUID()}.tmp`);
  await writeFile(temporary, JSON.stringify(identityOf(process.pid)));
  try {
    await link(temporary, lockPath(directory, number));
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
    return false; // Released meanwhile, or emptied by a power loss.
  }
  const { pid, started } = holder;
  return pid !== undefined && started !== undefined && isRunning({ pid, started });
}

async function lockNumbers(directory: string): Promise<number[]> {
  const numbers: number[] = [];
  for (const name of await readdir(directory)) {
    const match = LOCK.exec(name);
    if (match !== null) numbers.push(Number(match[1]));
  }
  return numbers.sort((a, b) => a - b);
}

function lockPath(directory: string, number: number): string {
  return join(directory, `lock.${number}`);
}

async function remove(path: string): Promise<void> {
  await unlink(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
}
