import { writeFileSync } from 'node:fs';

/** A reporter of vitest that leaves what a run gave in the file named by COUNTS_FILE, for scripts/test.mjs. */
export default class CountingReporter {
  onTestRunEnd(modules, unhandledErrors) {
    const counts = { passed: 0, failures: [], skips: [] };
    for (const module of modules) countModule(module, counts);
    for (const error of unhandledErrors) counts.failures.push(`outside of any test: ${error.message}`);
    writeFileSync(process.env.COUNTS_FILE, JSON.stringify(counts));
  }
}

function countModule(module, counts) {
  const failuresBefore = counts.failures.length;
  for (const test of module.children.allTests()) {
    const name = `${module.relativeModuleId} > ${test.fullName}`;
    const { state, note } = test.result();
    if (state === 'passed') counts.passed++;
    else if (state === 'failed') counts.failures.push(name);
    else counts.skips.push(`${name}: ${note ?? reasonOf(test)}`);
  }
  // A file that cannot be loaded, or whose hooks fail, has no failed test of its own.
  const failed = module.state() === 'failed' || module.errors().length > 0;
  if (failed && counts.failures.length === failuresBefore) counts.failures.push(module.relativeModuleId);
}

function reasonOf(test) {
  return test.project.getProvidedContext().missing ?? 'marked as skipped';
}
