import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildDashboard, dashboardInputs } from './build-dashboard.mjs';
import { buildProgram } from './build-program.mjs';
import { install } from './install.mjs';
import { checkNode, fail, root, runTool, StepError, step } from './steps.mjs';

const source = join(root, 'src');
const dashboard = join(root, 'dashboard');
const target = join(root, 'dist');
const stamp = join(target, '.build-stamp');
const memory = join(target, '.modules.tsbuildinfo');

/**
 * Makes `dist/` from `src/`: compiled TypeScript, a copy of every other file, the program in few files, and the dashboard's
 * bundle. Does nothing where nothing changed.
 */
export async function build() {
  const files = listFiles(source);
  const fingerprint = fingerprintOf(files);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint) return;
  await step('building', async () => {
    // Without a finished earlier build, tsc must not believe that its output is still there.
    if (!existsSync(stamp)) rmSync(memory, { force: true });
    rmSync(stamp, { force: true });
    const compiled = await runTool('typescript/bin/tsc', ['-p', 'tsconfig.json']);
    copyOtherFiles(files);
    removeLeftovers(files);
    if (compiled.code !== 0) throw new StepError(`The build failed.\n${compiled.output.trim()}`);
    await buildProgram();
    await buildDashboard();
    writeFileSync(stamp, fingerprint);
  });
}

function copyOtherFiles(files) {
  for (const file of files.filter((name) => !isTypeScript(name))) {
    mkdirSync(dirname(join(target, file)), { recursive: true });
    copyFileSync(join(source, file), join(target, file));
  }
}

/** Removes the outputs of sources that were deleted. */
function removeLeftovers(files) {
  const expected = new Set(['.build-stamp', '.modules.tsbuildinfo']);
  for (const file of files) {
    if (!isTypeScript(file)) expected.add(file);
    else for (const ending of ['.js', '.js.map', '.d.ts']) expected.add(file.replace(/\.tsx?$/, ending));
  }
  const isLeftover = (file) => !expected.has(file) && !/^(dashboard|program)\//.test(file);
  for (const file of listFiles(target)) if (isLeftover(file)) rmSync(join(target, file));
}

function fingerprintOf(files) {
  const hash = createHash('sha256');
  const bundled = listFiles(dashboard).filter((file) => !file.startsWith('generated/'));
  const inputs = [
    'tsconfig.json',
    'package-lock.json',
    'scripts/build-program.mjs',
    ...dashboardInputs,
    ...files.map((file) => `src/${file}`),
    ...bundled.map((file) => `dashboard/${file}`),
  ];
  for (const path of inputs) {
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update('\0');
  }
  return hash.digest('hex');
}

function isTypeScript(file) {
  return /\.tsx?$/.test(file);
}

/** The paths below the folder, sorted, without tests, which are not part of the product. */
function listFiles(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  try {
    checkNode();
    await install();
    await build();
  } catch (error) {
    fail(error);
  }
}
