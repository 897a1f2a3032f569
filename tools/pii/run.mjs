/** `sluice pii` from the sources, without a build: node tools/pii/run.mjs [--all] [--stats] [--score-threshold N]. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const path = (name) => fileURLToPath(new URL(`../../${name}`, import.meta.url));
const loader = ['--import', path('test/support/typescript-loader.mjs')];
const { status } = spawnSync(process.execPath, [...loader, path('src/main.ts'), 'pii', ...process.argv.slice(2)], {
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
