/** The counts of one part of a test run, or the sum of several parts. */
export class Counts {
  passed = 0;
  /** What failed, one line each. The details were printed when it happened. */
  failures = [];
  /** What was skipped, and why, one line each. */
  skips = [];
  /** Tests that failed next to others and passed alone, with their errors, one line each. */
  unsteady = [];

  add(other) {
    this.passed += other.passed;
    this.failures.push(...other.failures);
    this.skips.push(...other.skips);
    this.unsteady.push(...other.unsteady);
  }

  /** A run without any test has not succeeded. */
  get succeeded() {
    return this.failures.length === 0 && this.passed > 0;
  }

  get line() {
    const unsteady = this.unsteady.length > 0 ? `, ${this.unsteady.length} unsteady` : '';
    return `${this.passed} passed, ${this.failures.length} failed, ${this.skips.length} skipped${unsteady}`;
  }
}

/** The counts of the results that scripts/counting-reporter.mjs wrote. */
export function countsOf(results) {
  const counts = new Counts();
  for (const result of results) {
    if (result.state === 'passed') counts.passed++;
    else if (result.state === 'failed') counts.failures.push(nameOf(result));
    else counts.skips.push(`${nameOf(result)}: ${result.text}`);
  }
  return counts;
}

/** The name of a result in a summary. */
export function nameOf({ file, test, text }) {
  if (file === undefined) return `outside of any test: ${text}`;
  return test === undefined ? file : `${file} > ${test}`;
}

/** Prints what was skipped and why, what was unsteady, what failed, and the sum as the last line. */
export function printCounts(counts) {
  if (counts.skips.length > 0) console.log(`\nSkipped:\n${indent(counts.skips)}`);
  if (counts.unsteady.length > 0) {
    console.log(`\nUnsteady: failed beside other tests, passed alone\n${indent(counts.unsteady)}`);
  }
  if (counts.failures.length > 0) console.log(`\nFailed:\n${indent(counts.failures)}`);
  console.log(`\n${counts.line}`);
}

function indent(lines) {
  return lines.map((line) => `  ${line.replaceAll('\n', '\n    ')}`).join('\n');
}
