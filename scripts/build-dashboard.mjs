import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { apiDescription, generateApiTypes } from './api-types.mjs';
import { root, runTool, StepError } from './steps.mjs';

const source = join(root, 'dashboard');
const target = join(root, 'dist/dashboard');
/** The largest allowed size of all scripts together, compressed. */
const MAX_SCRIPT_BYTES = 180 * 1024;

/** What the bundle is made from, besides the files of `dashboard/`. */
export const dashboardInputs = ['dashboard/tsconfig.json', apiDescription];

/** Makes `dist/dashboard/`: one page, its style, and its script in pieces that are loaded when they are needed. */
export async function buildDashboard() {
  await checkDashboard();
  const { build } = await import('esbuild');
  rmSync(target, { recursive: true, force: true });
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: ['dashboard/main.tsx', 'dashboard/styles/main.css'],
    outdir: 'dist/dashboard/assets',
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    target: ['es2022'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
    metafile: true,
    logLevel: 'silent',
  }).catch((error) => {
    throw new StepError(`The dashboard could not be bundled.\n${error.message}`);
  });
  const outputs = Object.entries(metafile.outputs);
  checkSize(outputs.map(([path]) => path).filter((path) => path.endsWith('.js')));
  const made = (entry) => basename(outputs.find(([, { entryPoint }]) => entryPoint === entry)[0]);
  const main = outputs.find(([, { entryPoint }]) => entryPoint === 'dashboard/main.tsx')[1];
  const page = readFileSync(join(source, 'index.html'), 'utf8')
    .replace('    <!-- preloaded -->\n', preloads(main))
    .replace('main.css', `assets/${made('dashboard/styles/main.css')}`)
    .replace('main.js', `assets/${made('dashboard/main.tsx')}`);
  writeFileSync(join(target, 'index.html'), page);
  for (const [path] of outputs) {
    const file = join(root, path);
    writeFileSync(`${file}.gz`, gzipSync(readFileSync(file), { level: 9 }));
  }
}

/** Makes the browser load what the first script imports at the same time as the script itself, and not after it was read. */
function preloads({ imports }) {
  return imports
    .filter(({ kind }) => kind === 'import-statement')
    .map(({ path }) => `    <link rel="modulepreload" href="assets/${basename(path)}" />\n`)
    .join('');
}

/** Checks the dashboard's types against the API's description. Throws an error that people can read. */
export async function checkDashboard() {
  generateApiTypes();
  const { code, output } = await runTool('typescript/bin/tsc', ['-p', 'dashboard/tsconfig.json']);
  if (code !== 0) throw new StepError(`The dashboard's types do not fit.\n${output.trim()}`);
}

function checkSize(scripts) {
  const bytes = scripts.reduce((sum, path) => sum + gzipSync(readFileSync(join(root, path))).length, 0);
  if (bytes > MAX_SCRIPT_BYTES) {
    throw new StepError(
      `The dashboard's script is ${bytes} bytes with gzip; ${MAX_SCRIPT_BYTES} are allowed.`,
    );
  }
}
