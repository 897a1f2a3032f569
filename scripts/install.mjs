import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, run, StepError, step } from './steps.mjs';

/** Installs what package-lock.json names, unless node_modules already holds exactly that. */
export async function install() {
  if (isInstalled()) return;
  const [command, before] = npmCommand();
  await step('installing packages with npm ci', async () => {
    const result = await run(command, [...before, 'ci', '--no-audit', '--no-fund', '--loglevel=error']).catch(
      () => {
        throw new StepError('npm is not on the PATH. It comes with Node: https://nodejs.org/.');
      },
    );
    if (result.code !== 0) {
      throw new StepError(`npm ci failed. Is the package registry reachable?\n${firstLines(result.output)}`);
    }
  });
}

/** npm lists what it installed in a file. Packages for other platforms are not in it. */
function isInstalled() {
  const wanted = readPackages('package-lock.json');
  const present = readPackages('node_modules/.package-lock.json');
  if (present === undefined) return false;
  return Object.entries(wanted).every(([path, entry]) => {
    const found = present[path];
    if (path === '' || found === undefined) return path === '' || entry.optional === true;
    return found.version === entry.version && found.integrity === entry.integrity;
  });
}

function readPackages(path) {
  let text;
  try {
    text = readFileSync(join(root, path), 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
  return JSON.parse(text).packages;
}

/** The first lines of npm's output say what went wrong; the rest explains its usage. */
function firstLines(output) {
  return output.trim().split('\n').slice(0, 12).join('\n');
}

/**
 * The command to run npm. Inside of npm, an environment variable contains its path, which also works where npm is not
 * on the PATH.
 */
function npmCommand() {
  const script = process.env.npm_execpath;
  return script?.endsWith('npm-cli.js') ? [process.execPath, [script]] : ['npm', []];
}
