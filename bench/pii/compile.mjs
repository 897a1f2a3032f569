/** Compiles src/pii to tools/pii/dist, so that training and the benchmark run the very code that reads the model. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const dist = join(root, 'tools', 'pii', 'dist');

/**
 * Compiles `entry` with everything that it imports. Returns a function that imports a compiled module by its path
 * below src/pii.
 */
export function compile(entry) {
  const compiler = createRequire(join(root, 'package.json')).resolve('typescript/package.json');
  const tsc = join(dirname(compiler), 'bin', 'tsc');
  const options = ['--outDir', dist, '--rootDir', join(root, 'src', 'pii'), '--target', 'ES2022'];
  const checks = ['--module', 'NodeNext', '--strict', '--skipLibCheck', '--types', 'node'];
  execFileSync(
    process.execPath,
    [tsc, '--ignoreConfig', ...options, ...checks, join(root, 'src', 'pii', entry)],
    { cwd: root, stdio: 'inherit' },
  );
  for (const folder of ['model', 'identifiers', 'words']) {
    mkdirSync(join(dist, folder), { recursive: true });
    for (const name of readdirSync(join(root, 'src', 'pii', folder)))
      if (/\.(?:bin|wasm|json)$/.test(name))
        copyFileSync(join(root, 'src', 'pii', folder, name), join(dist, folder, name));
  }
  return (path) => import(pathToFileURL(join(dist, path)).href);
}
