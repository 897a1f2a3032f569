import { createHash } from 'node:crypto';
import { access, copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cacheDirectory } from '../../src/local/binaries/wheel.js';
import { runProgram } from '../../src/local/processes/run-program.js';
import { installedPython, preparePythonOf } from '../support/python-environment.js';

const FOLDER = fileURLToPath(new URL('.', import.meta.url));
const FILES = ['package.json', 'package-lock.json'];
const PYTHON = fileURLToPath(new URL('../clients/requirements/aider.txt', import.meta.url));
const WHOLE = 'whole';

/** The folders of what was installed. */
export interface Installed {
  /** The packages of npm. */
  modules: string;
  /** The programs of Python. */
  programs: string;
}

/**
 * The agents of `package.json` beside this file, and aider, in the user's cache: together they take more than a
 * gigabyte. `install`: they are installed where they are not there yet; else they are only used where they are.
 */
export async function installedAgents({
  install,
}: {
  install: boolean;
}): Promise<Installed | { missing: string }> {
  const packages = await installedPackages(install);
  if ('missing' in packages) return packages;
  const python = await (install ? preparePythonOf(PYTHON) : installedPython(PYTHON));
  return 'missing' in python ? python : { ...packages, ...python };
}

async function installedPackages(install: boolean): Promise<{ modules: string } | { missing: string }> {
  const lock = await readFile(join(FOLDER, 'package-lock.json'), 'utf8');
  const hash = createHash('sha256').update(lock).digest('hex').slice(0, 16);
  const home = join(cacheDirectory(process.env), `agents-${hash}`);
  const modules = join(home, 'node_modules');
  const isWhole = await access(join(home, WHOLE)).then(
    () => true,
    () => false,
  );
  if (isWhole) return { modules };
  if (!install) return { missing: 'the agents are not installed; `npm run test:agents` installs them' };
  await mkdir(home, { recursive: true });
  for (const file of FILES) await copyFile(join(FOLDER, file), join(home, file));
  // What their scripts would do is to put a program in place that lies in a package of its own. `npm ci` of npm 11 refuses the lock file,
  // because it lacks packages for other systems that a registry may not have. The versions are those of the lock file either way.
  const parameters = [
    'install',
    '--no-save',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ];
  const done = await runProgram('npm', parameters, {
    environment: process.env,
    cwd: home,
    timeoutMs: 600_000,
  });
  if (done.code !== 0) {
    await rm(home, { recursive: true, force: true });
    return { missing: `the agents could not be installed: ${done.problem}` };
  }
  await writeFile(join(home, WHOLE), '');
  return { modules };
}
