import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { runProgram } from '../../src/local/processes/run-program.js';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];
const INSTALL_TIMEOUT_MS = 240_000;

/** `CHROMIUM_BIN`, or one on the PATH, or Debian's, installed with apt where we may. Else the reason. */
export async function findChromium(
  environment: NodeJS.ProcessEnv,
): Promise<{ path: string } | { problem: string }> {
  if (environment.CHROMIUM_BIN) return { path: environment.CHROMIUM_BIN };
  const found = onPath(environment);
  if (found !== undefined) return { path: found };
  const problem = await installWithApt(environment);
  const installed = onPath(environment);
  if (installed !== undefined) return { path: installed };
  return { problem: `no Chromium: set CHROMIUM_BIN, or apt-get install chromium (${problem})` };
}

function onPath(environment: NodeJS.ProcessEnv): string | undefined {
  const folders = (environment.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.flatMap((folder) => NAMES.map((name) => join(folder, name))).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

async function installWithApt(environment: NodeJS.ProcessEnv): Promise<string> {
  if (process.getuid?.() !== 0) return 'we are not root';
  const options = {
    environment: { ...environment, DEBIAN_FRONTEND: 'noninteractive' },
    timeoutMs: INSTALL_TIMEOUT_MS,
  };
  const install = ['install', '-y', '--no-install-recommends', 'chromium'];
  if ((await runProgram('apt-get', install, options)).code === 0) return '';
  await runProgram('apt-get', ['update'], options);
  const { problem } = await runProgram('apt-get', install, options);
  return problem.split('\n').at(-1) ?? problem;
}
