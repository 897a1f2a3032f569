import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cacheDirectory } from '../../src/local/binaries/wheel.js';
import { runProgram } from '../../src/local/processes/run-program.js';

/** The commit of the previous version. Each release changes it. */
const PREVIOUS = '3f31da93df18da16e84b738a80e9622bbe35f518';

const root = fileURLToPath(new URL('../../', import.meta.url));
// The folder is not inside of node_modules, where TypeScript could not write declarations that name packages.
const target = join(cacheDirectory(process.env), `version-${PREVIOUS.slice(0, 12)}`);

/** Why the previous version cannot be built here; null where it can. */
export async function missingPrevious(): Promise<string | null> {
  const { code } = await git('cat-file', '-e', `${PREVIOUS}^{commit}`);
  return code === 0
    ? null
    : `this checkout does not have the commit ${PREVIOUS.slice(0, 12)} of the version before`;
}

/** Builds the previous version once from the repository's history, and returns the path of its `main.js`. */
export async function buildPrevious(): Promise<string> {
  const main = join(target, 'dist', 'main.js');
  if (existsSync(main)) return main;
  const draft = `${target}.${process.pid}`;
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { recursive: true });
  await done(git('archive', '--output', join(draft, 'source.tar'), PREVIOUS));
  await done(run('tar', ['-xf', 'source.tar'], draft));
  if (await hasWhatItNeeds(draft)) await symlink(join(root, 'node_modules'), join(draft, 'node_modules'));
  else await done(run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], draft));
  await done(run(process.execPath, ['scripts/build.mjs'], draft));
  await rm(target, { recursive: true, force: true });
  await rename(draft, target);
  return main;
}

/** Whether that version has the same dependencies, in the same versions, as this one. */
async function hasWhatItNeeds(version: string): Promise<boolean> {
  const [own, its] = await Promise.all(
    [root, version].map(async (folder) => {
      const { dependencies, devDependencies } = JSON.parse(
        await readFile(join(folder, 'package.json'), 'utf8'),
      );
      return { ...dependencies, ...devDependencies } as Record<string, string>;
    }),
  );
  return Object.entries(its!).every(([name, version]) => own![name] === version);
}

const git = (...parameters: string[]) => run('git', parameters, root);

const run = (command: string, parameters: string[], cwd: string) =>
  runProgram(command, parameters, { environment: process.env, cwd });

async function done(result: ReturnType<typeof run>): Promise<void> {
  const { code, problem } = await result;
  if (code !== 0) throw new Error(`the version before cannot be built: ${problem}`);
}
