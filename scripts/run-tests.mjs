import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Counts } from './counts.mjs';
import { runTool, step } from './steps.mjs';

/**
 * Runs vitest on some of its projects, shown in the terminal, and gives its counts. With `names` it runs only the
 * files whose path holds one of them.
 */
export async function runTests(projects, names = []) {
  const directory = mkdtempSync(join(tmpdir(), 'sluice-test-'));
  const file = join(directory, 'counts.json');
  const parameters = ['run', '--reporter=default', '--reporter=./scripts/counting-reporter.mjs'];
  const { code } = await runTool(
    'vitest/vitest.mjs',
    [...parameters, ...projects.map((name) => `--project=${name}`), ...names],
    { show: true, environment: { ...process.env, COUNTS_FILE: file } },
  );
  const counts = new Counts();
  if (existsSync(file)) counts.add(JSON.parse(readFileSync(file, 'utf8')));
  if (code !== 0 && counts.failures.length === 0) counts.failures.push(`vitest ended with code ${code}`);
  rmSync(directory, { recursive: true });
  return counts;
}

/** Runs one question that has complaints or none. It counts as one test. */
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
