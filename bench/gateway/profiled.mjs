import { existsSync, readFileSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const profiler = fileURLToPath(new URL('./profiler.cjs', import.meta.url));

/** Makes engines that are started from now on write a profile to this file. `of` is `cpu` or `survivors`. */
export function profileEngines(file, of) {
  rmSync(file, { force: true });
  process.env.BENCH_PROFILE = file;
  process.env.BENCH_PROFILE_OF = of;
  process.env.NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ''} --require ${profiler}`;
}

/** Profiles the engine of this process id while `work` lasts. Resolves with the profile. */
export async function profileWhile(engine, file, work) {
  process.kill(engine, 'SIGUSR2');
  await work();
  process.kill(engine, 'SIGUSR2');
  while (!existsSync(file)) await sleep(100);
  return JSON.parse(readFileSync(file, 'utf8'));
}
