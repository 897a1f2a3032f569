import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { runProgram } from '../../src/local/processes/run-program.js';

/** Chromium without a window. It uses a third of the CPU for a page, so installing it is worthwhile. */
const SHELL = 'chromium-headless-shell';
/** The names of Debian's packages, which are also the names of the programs. */
const PACKAGES = [SHELL, 'chromium'];
const NAMES = [...PACKAGES, 'chromium-browser', 'google-chrome'];
const INSTALL_TIMEOUT_MS = 240_000;
/** How long the installation may take where another browser already exists. */
const BETTER_TIMEOUT_MS = 60_000;

/**
 * The browser: `CHROMIUM_BIN`, else one on the PATH, else Debian's, which apt installs where the user may do so. Otherwise
 * the reason why there is none.
 */
export async function findChromium(
  environment: NodeJS.ProcessEnv,
): Promise<{ path: string } | { problem: string }> {
  if (environment.CHROMIUM_BIN) return { path: environment.CHROMIUM_BIN };
  const found = onPath(environment);
  if (found !== undefined) {
    if (!found.endsWith(SHELL)) await installShell(environment);
    return { path: onPath(environment) ?? found };
  }
  const problem = await installWithApt(environment);
  const installed = onPath(environment);
  if (installed !== undefined) return { path: installed };
  return { problem: `no Chromium: set CHROMIUM_BIN, or apt-get install ${PACKAGES[0]} (${problem})` };
}

function onPath(environment: NodeJS.ProcessEnv): string | undefined {
  const folders = (environment.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  return NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

type Apt = (...parameters: string[]) => ReturnType<typeof runProgram>;

function aptOf(environment: NodeJS.ProcessEnv, timeoutMs: number): Apt {
  return (...parameters) =>
    runProgram('apt-get', parameters, {
      environment: { ...environment, DEBIAN_FRONTEND: 'noninteractive' },
      timeoutMs,
    });
}

const installing = (apt: Apt) => (name: string) => apt('install', '-y', '--no-install-recommends', name);

async function installShell(environment: NodeJS.ProcessEnv): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const apt = aptOf(environment, BETTER_TIMEOUT_MS);
  const install = installing(apt);
  if ((await install(SHELL)).code === 0) return;
  if ((await apt('update')).code === 0) await install(SHELL);
}

async function installWithApt(environment: NodeJS.ProcessEnv): Promise<string> {
  if (process.getuid?.() !== 0) return 'we are not root';
  const apt = aptOf(environment, INSTALL_TIMEOUT_MS);
  const install = installing(apt);
  if ((await install(SHELL)).code === 0) return '';
  await apt('update');
  let problem = '';
  for (const name of PACKAGES) {
    const result = await install(name);
    if (result.code === 0) return '';
    problem = result.problem;
  }
  return problem.split('\n').at(-1) ?? problem;
}
