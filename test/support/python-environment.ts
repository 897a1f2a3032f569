import { createHash } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { cacheDirectory } from '../../src/local/binaries/wheel.js';
import { runProgram } from '../../src/local/processes/run-program.js';

/** The folder with the programs of a virtual environment, or the reason why there is none. */
export type PythonEnvironment = { programs: string } | { missing: string };

/** The version of uv, which installs many packages in a second where pip takes minutes. */
const UV = '0.13.9';
const WHOLE = 'whole';

/**
 * Makes a virtual environment in the user's cache, once, where Python is installed. `packages` are pinned, such as
 * `openai==3.52.0`; `check` is a command of the environment that fails where the environment is not complete.
 */
export async function preparePython(
  name: string,
  packages: readonly string[],
  check: readonly [program: string, ...parameters: string[]],
): Promise<PythonEnvironment> {
  const environment = process.env;
  const home = join(cacheDirectory(environment), name);
  const programs = join(home, 'bin');
  const isWhole = async () => {
    const [program, ...parameters] = check;
    const options = { environment, timeoutMs: 30_000 };
    return (await runProgram(join(programs, program), parameters, options)).code === 0;
  };
  if (await isWhole()) return { programs };
  await mkdir(cacheDirectory(environment), { recursive: true });
  const made = await runProgram('python3', ['-m', 'venv', '--clear', home], {
    environment,
    timeoutMs: 60_000,
  });
  if (made.code !== 0) return { missing: `no virtual environment of Python: ${made.problem}` };
  const flags = ['--quiet', '--disable-pip-version-check'];
  const installed = await runProgram(join(programs, 'pip'), ['install', ...flags, ...packages], {
    environment,
    timeoutMs: 180_000,
  });
  if (installed.code === 0 && (await isWhole())) return { programs };
  await rm(home, { recursive: true, force: true });
  return { missing: `${packages.join(', ')} could not be installed: ${installed.problem}` };
}

/** Does the same for all packages of a requirements file, which pins every package and its dependencies. */
export async function preparePythonOf(requirements: string): Promise<PythonEnvironment> {
  const known = await installedPython(requirements);
  if ('programs' in known) return known;
  const { name, home, programs } = await placeOf(requirements);
  const uv = await preparePython(`uv-${UV}`, [`uv==${UV}`], ['uv', '--version']);
  if ('missing' in uv) return uv;
  const run = (...parameters: string[]) =>
    runProgram(join(uv.programs, 'uv'), parameters, { environment: process.env, timeoutMs: 600_000 });
  const made = await run('venv', '--quiet', '--clear', '--python', 'python3', home);
  if (made.code !== 0) return { missing: `no virtual environment of Python: ${made.problem}` };
  const installed = await run('pip', 'install', '--quiet', '--python', home, '--no-deps', '-r', requirements);
  if (installed.code !== 0) return { missing: `${name}.txt could not be installed: ${installed.problem}` };
  await writeFile(join(home, WHOLE), '');
  return { programs };
}

/** The environment that `preparePythonOf` made before. */
export async function installedPython(requirements: string): Promise<PythonEnvironment> {
  const { name, home, programs } = await placeOf(requirements);
  return readFile(join(home, WHOLE)).then(
    () => ({ programs }),
    () => ({ missing: `the packages of ${name}.txt are not installed` }),
  );
}

async function placeOf(requirements: string): Promise<{ name: string; home: string; programs: string }> {
  const text = await readFile(requirements, 'utf8');
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 16);
  const name = basename(requirements, '.txt');
  const home = join(cacheDirectory(process.env), `clients-${name}-${hash}`);
  return { name, home, programs: join(home, 'bin') };
}
