import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { runProgram } from '../../src/local/run-program.js';
import { cacheDirectory } from '../../src/local/wheel.js';

const VERSION = '4.32.5';

export type Schemathesis = { program: string } | { missing: string };

/** The pinned schemathesis: in a virtual environment of the user's cache, made once where Python is there. */
export async function findSchemathesis(): Promise<Schemathesis> {
  const environment = process.env;
  const home = join(cacheDirectory(environment), `schemathesis-${VERSION}`);
  const program = join(home, 'bin', 'schemathesis');
  if (await runs(program)) return { program };
  await mkdir(cacheDirectory(environment), { recursive: true });
  const made = await runProgram('python3', ['-m', 'venv', '--clear', home], {
    environment,
    timeoutMs: 60_000,
  });
  if (made.code !== 0) return { missing: `no virtual environment of Python: ${made.problem}` };
  const installed = await runProgram(
    join(home, 'bin', 'pip'),
    ['install', '--quiet', '--disable-pip-version-check', `schemathesis==${VERSION}`],
    { environment, timeoutMs: 180_000 },
  );
  if (installed.code === 0 && (await runs(program))) return { program };
  await rm(home, { recursive: true, force: true });
  return { missing: `schemathesis could not be installed: ${installed.problem}` };
}

async function runs(program: string): Promise<boolean> {
  const result = await runProgram(program, ['--version'], { environment: process.env, timeoutMs: 30_000 });
  return result.code === 0;
}
