import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { root, StepError } from './steps.mjs';

const source = join(root, 'src');
const target = join(root, 'dist');
/** Flat: what lies here finds every file of `dist/` one folder up. */
const FOLDER = 'bundle';

/**
 * What a process or a thread begins with, and what plugins import. They share what they have in common, so that a class
 * is one class for all of them.
 */
const ENTRIES = [
  'main',
  'plugins/api',
  'plugins/testing/index',
  'plugins/isolation/thread',
  'plugins/text-guard/scan-thread',
  'validation/worker/worker',
];

/**
 * Packages that every start needs, with what they need in turn. The others stay outside: those that read files of their
 * own, those that are loaded only where they are used, and those of which a plugin or another package has the same one.
 */
const PACKAGES = ['ajv', 'ajv-formats', 'commander', 'fastify', 'mongodb', 'yaml'];

/** What CommonJS packages ask for with `require`. */
const REQUIRE = `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);`;

/**
 * A start of the engine reads over a thousand modules, which costs more than all else that it does. This puts them into
 * a few files in `dist/bundle/`, readable ones, and makes each entry in `dist/` an import of its bundle.
 */
export async function bundle() {
  const { build } = await import('esbuild');
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: ENTRIES.map((entry) => ({ in: `src/${entry}.ts`, out: bundled(entry) })),
    outdir: join('dist', FOLDER),
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    banner: { js: REQUIRE },
    metafile: true,
    logLevel: 'silent',
    plugins: [otherPackages, ownPlaces],
  }).catch((error) => {
    throw new StepError(`The bundle could not be made.\n${error.message}`);
  });
  for (const entry of ENTRIES) writeFileSync(join(target, `${entry}.js`), importOf(entry));
  // At last, since an engine may start meanwhile.
  const made = new Set(Object.keys(metafile.outputs).map((path) => basename(path)));
  for (const file of readdirSync(join(target, FOLDER))) {
    if (!made.has(file)) rmSync(join(target, FOLDER, file));
  }
}

/** Modules find files by their own place in `dist/`, and still do so from the bundle. */
const ownPlaces = {
  name: 'own places',
  setup({ onLoad }) {
    onLoad({ filter: /\/src\/.*\.ts$/ }, ({ path }) => {
      const place = relative(source, path).replace(/\.ts$/, '.js');
      const address = `new URL('../${place}', import.meta.url).href`;
      const contents = readFileSync(path, 'utf8').replaceAll('import.meta.url', address);
      return { contents, loader: 'ts' };
    });
  },
};

const otherPackages = {
  name: 'other packages',
  setup({ onResolve }) {
    onResolve({ filter: /^[^.]/ }, ({ path, importer, kind }) => {
      if (kind === 'entry-point' || !importer.startsWith(source)) return undefined;
      const isBundled = PACKAGES.some((name) => path === name || path.startsWith(`${name}/`));
      return isBundled ? undefined : { path, external: true };
    });
  },
};

function importOf(entry) {
  const path = relative(dirname(entry), join(FOLDER, bundled(entry)));
  const specifier = JSON.stringify(`${path.startsWith('.') ? '' : './'}${path}.js`);
  return entry === 'main' ? `#!/usr/bin/env node\nimport ${specifier};\n` : `export * from ${specifier};\n`;
}

function bundled(entry) {
  return entry.replaceAll('/', '-');
}
