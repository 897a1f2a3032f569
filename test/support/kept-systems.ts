import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What is left of a kept system when the process of the tests that started it is gone. */
export interface KeptSystem {
  pids: number[];
  directory: string;
}

/** A folder in which processes of tests note what they keep until the whole run is over. */
export function openKeptSystems(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'sluice-kept-'));
}

export function noteKeptSystem(folder: string, system: KeptSystem): Promise<void> {
  return writeFile(join(folder, `${system.pids.join('-')}.json`), JSON.stringify(system));
}

/** Nobody waits for their answers any more: they need no order to end in. */
export async function endKeptSystems(folder: string): Promise<void> {
  for (const file of await readdir(folder)) {
    const { pids, directory } = JSON.parse(await readFile(join(folder, file), 'utf8')) as KeptSystem;
    for (const pid of pids) kill(pid);
    await rm(directory, { recursive: true, force: true, maxRetries: 5 });
  }
  await rm(folder, { recursive: true });
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
