import { build } from './build.mjs';
import { CHECKS } from './checks.mjs';
import { Counts, printCounts } from './counts.mjs';
import { install } from './install.mjs';
import { runCheck, runTests, runTestsTwiceWhereUnsteady } from './run-tests.mjs';
import { checkNode, fail, run, StepError } from './steps.mjs';

/*
 * `npm test`: everything, with nothing set up before. A part that is one question, such as the type check, counts
 * as one test. The last line printed is the sum over all parts. Contract tests that fail run once more, each file
 * alone. `npm test -- NAME` builds and runs the test files whose path holds NAME, once, and nothing else.
 */
const names = process.argv.slice(2);
try {
  checkNode();
  await install();
  const counts = new Counts();
  const built = await runCheck('build', buildComplaints);
  counts.add(built);
  const goPrograms = names.length === 0 ? buildGoPrograms() : undefined;
  // The checks run side by side, because each uses one core for most of its time.
  const checks = names.length === 0 ? CHECKS.map(([name, check]) => runCheck(name, check)) : [];
  for (const outcome of await Promise.all(checks)) counts.add(outcome);
  // The other projects test what was built. If the build failed, they would test an older state.
  const projects = built.succeeded ? ['unit', 'properties', 'contract'] : ['unit'];
  counts.add(await (names.length === 0 ? runTestsTwiceWhereUnsteady(projects) : runTests(projects, names)));
  if (!built.succeeded) counts.skips.push('properties and contract tests: the build failed');
  await goPrograms;
  printCounts(counts);
  process.exitCode = counts.succeeded ? 0 : 1;
} catch (error) {
  fail(error);
}

async function buildComplaints() {
  try {
    await build();
    return '';
  } catch (error) {
    if (error instanceof StepError) return error.message;
    throw error;
  }
}

/** Builds the Go programs, which takes minutes, once for each user. It runs at low priority beside the tests. */
function buildGoPrograms() {
  const loader = ['--import', './test/support/typescript-loader.mjs'];
  const parameters = ['-n', '10', process.execPath, ...loader, 'test/support/build-go-programs.ts'];
  return run('nice', parameters).catch(() => {});
}
