import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { identityOf, isRunning, type ProcessIdentity } from '../../src/process/process-identity.js';

/** What remains of a kept system after the test process that started it has exited. */
export interface KeptSystem {
  processes: ProcessIdentity[];
  directory: string;
}

/** A folder in which test processes note what they keep until the end of the run. */
export function openKeptSystems(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'sluice-kept-'));
}

export function noteKeptSystem(folder: string, pids: number[], directory: string): Promise<void> {
  const processes = pids.map(identityOf).filter((identity) => identity !== undefined);
  const system: KeptSystem = { processes, directory };
  return writeFile(join(folder, `${pids.join('-')}.json`), JSON.stringify(system));
}

/** Ends the kept systems in any order, since nobody waits for their answers any more. */
export async function endKeptSystems(folder: string): Promise<void> {
  for (const file of await readdir(folder)) {
    const { processes, directory } = JSON.parse(await readFile(join(folder, file), 'utf8')) as KeptSystem;
    for (const one of processes) if (isRunning(one)) process.kill(one.pid, 'SIGKILL');
    await rm(directory, { recursive: true, force: true, maxRetries: 5 });
  }
  await rm(folder, { recursive: true });
}
