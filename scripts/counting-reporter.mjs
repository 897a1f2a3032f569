import { writeFileSync } from 'node:fs';

/**
 * A reporter for vitest that writes the result of each test to the file named by RESULTS_FILE, for
 * scripts/run-tests.mjs: `{ project, file, test, state, text }`. The text says why a test was skipped, or is the
 * first line of its error. An error of a whole file has no `test`, and an error outside of all files has no `file`.
 */
export default class CountingReporter {
  onTestRunEnd(modules, unhandledErrors) {
    const results = [
      ...modules.flatMap(resultsOf),
      ...unhandledErrors.map((error) => ({ state: 'failed', text: firstLine([error]) })),
    ];
    writeFileSync(process.env.RESULTS_FILE, JSON.stringify(results));
  }
}

function resultsOf(module) {
  const of = { project: module.project.name, file: module.relativeModuleId };
  const results = [...module.children.allTests()].map((test) => {
    const { state, note, errors } = test.result();
    if (state === 'passed') return { ...of, test: test.fullName, state };
    const text = state === 'failed' ? firstLine(errors) : (note ?? reasonOf(module.project));
    return { ...of, test: test.fullName, state: state === 'failed' ? state : 'skipped', text };
  });
  // A file that cannot be loaded, or whose hooks fail, has no failed test.
  const errors = [...module.errors(), ...[...module.children.allSuites()].flatMap((suite) => suite.errors())];
  const failed = module.state() === 'failed' || errors.length > 0;
  if (failed && results.every(({ state }) => state !== 'failed')) {
    results.push({ ...of, state: 'failed', text: firstLine(errors) });
  }
  return results;
}

function reasonOf(project) {
  return project.getProvidedContext().missing ?? 'marked as skipped';
}

function firstLine(errors) {
  return String(errors?.[0]?.message ?? 'no error was reported').split('\n')[0];
}
