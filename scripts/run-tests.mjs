import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Counts, countsOf } from './counts.mjs';
import { runTool, step } from './steps.mjs';
import { countsOfBoth, filesToRunAgain } from './unsteady.mjs';

/**
 * Runs some of vitest's projects, shows them in the terminal, and returns the counts. With `names` only files whose
 * path contains one of them run.
 */
export async function runTests(projects, names = []) {
  return countsOf(await resultsOf(projects, names));
}

/** Does the same, but contract tests that failed run once more, each file alone. */
export async function runTestsTwiceWhereUnsteady(projects) {
  const first = await resultsOf(projects, []);
  const files = filesToRunAgain(first);
  if (files.length === 0) return countsOf(first);
  console.log(`\nRunning these files again, each alone:\n${files.map((file) => `  ${file}`).join('\n')}`);
  const second = [];
  for (const file of files) second.push(...(await resultsOf(['contract'], [file])));
  return countsOfBoth(first, files, second);
}

/** The results that scripts/counting-reporter.mjs wrote for one run of vitest. */
async function resultsOf(projects, names) {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-test-'));
  const file = join(folder, 'results.json');
  // Contract tests need a build. Where they run, unit tests use it as well: it is loaded in half the time of the sources.
  const built = projects.includes('contract') ? { TEST_WHAT_WAS_BUILT: '1' } : {};
  const parameters = ['run', '--reporter=default', '--reporter=./scripts/counting-reporter.mjs'];
  const { code } = await runTool(
    'vitest/vitest.mjs',
    [...parameters, ...projects.map((name) => `--project=${name}`), ...names],
    { show: true, environment: { ...process.env, ...built, RESULTS_FILE: file } },
  );
  const results = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [];
  rmSync(folder, { recursive: true });
  if (code !== 0 && results.every(({ state }) => state !== 'failed')) {
    results.push({ state: 'failed', text: `vitest ended with code ${code}` });
  }
  return results;
}

/** Runs a check, which returns complaints or none. It counts as one test. */
export async function runCheck(name, check) {
  const counts = new Counts();
  const complaints = await step(name, check);
  if (complaints === '') {
    counts.passed = 1;
  } else {
    console.error(`\n${name}:\n${complaints}\n`);
    counts.failures.push(name);
  }
  return counts;
}
