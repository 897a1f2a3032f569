import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { root, StepError } from './steps.mjs';

const source = join(root, 'src');
const target = join(root, 'dist/program');
const execute = promisify(execFile);

/** The modules that Node is told to load: the command line, what plugins import, and the threads. */
const ENTRIES = [
  'main',
  'plugins/api',
  'plugins/testing/index',
  'plugins/scan-thread',
  'plugins/runtime/call/thread',
  'plugins/text-guard/files/file-thread',
  'validation/schema-thread',
];

/**
 * Makes `dist/program/`: the modules that are started from `ENTRIES`, joined into few files, because Node needs a quarter of
 * an engine's start to find, read and link 800 of them. What is loaded later stays in files of its own, and packages stay
 * where they are. The module of an entry in `dist/` then only refers to its file. Tests and `npm start` itself import the
 * other modules of `dist/` as tsc made them.
 */
export async function buildProgram() {
  const { build } = await import('esbuild');
  const flat = (entry) => entry.replaceAll('/', '-');
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: ENTRIES.map((entry) => ({ in: join(source, `${entry}.ts`), out: flat(entry) })),
    outdir: target,
    bundle: true,
    splitting: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    sourcemap: 'linked',
    sourcesContent: false,
    legalComments: 'none',
    metafile: true,
    logLevel: 'silent',
    plugins: [compiledSchemas, ownUrls],
  }).catch((error) => {
    throw new StepError(`The program could not be joined.\n${error.message}`);
  });
  const made = new Set(Object.keys(metafile.outputs).map((path) => basename(path)));
  for (const file of readdirSync(target)) if (!made.has(file)) rmSync(join(target, file));
  for (const entry of ENTRIES) {
    const start = entry === 'main' ? '#!/usr/bin/env node\n' : '';
    const up = '../'.repeat(entry.split('/').length - 1);
    writeFileSync(
      join(root, 'dist', `${entry}.js`),
      `${start}export * from './${up}program/${flat(entry)}.js';\n`,
    );
  }
}

/** A module finds files by its own URL. It gets the URL that it has in `dist/`, whichever file holds it. */
const ownUrls = {
  name: 'own-urls',
  setup(build) {
    build.onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      const place = `../${relative(source, path).replace(/\.ts$/, '.js')}`;
      const contents = text.replaceAll('import.meta.url', `new URL('${place}', import.meta.url).href`);
      return { contents, loader: 'ts' };
    });
  },
};

/** The modules that export `schemas` (`src/json-schema/compiled-schemas.ts`). */
const SCHEMAS = /\/(?:file-schemas|stored-schemas|built-in-schemas)\.ts$/;

/**
 * The schemas of the program are compiled here and not in each process. A process of its own does it, since this one may have
 * loaded an older version of the modules.
 */
const compiledSchemas = {
  name: 'compiled-schemas',
  setup(build) {
    build.onLoad({ filter: SCHEMAS }, async ({ path }) => {
      const module = relative(source, path).replace(/\.ts$/, '.js');
      const program = COMPILE.replace('MODULE', `./dist/${module}`);
      const options = { cwd: root, maxBuffer: 16 * 1024 * 1024 };
      const { stdout } = await execute(process.execPath, ['--input-type=module', '--eval', program], options);
      return { contents: REQUIRE + stdout, loader: 'js' };
    });
  },
};

const COMPILE = `
  import standalone from 'ajv/dist/standalone/index.js';
  import { schemas } from 'MODULE';
  const { ajv, names } = schemas;
  const code = standalone.default(ajv, Object.fromEntries(names.map((name) => [name, name])));
  const table = '{ ' + names.join(', ') + ' }';
  process.stdout.write(code + '\\nexport const schemas = { validator: (name) => (' + table + ')[name] };\\n');
`;

/** What Ajv generates requires a few of its modules, in a module that has no \`require\`. */
const REQUIRE = `
  import { createRequire } from 'node:module';
  const require = createRequire(import.meta.url);
`;
