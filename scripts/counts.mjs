/** What one part of a test run gave, or the sum of several. */
export class Counts {
  passed = 0;
  /** Each a line: what failed. The details were printed when it happened. */
  failures = [];
  /** Each a line: what was skipped, and why. */
  skips = [];

  add(other) {
    this.passed += other.passed;
    this.failures.push(...other.failures);
    this.skips.push(...other.skips);
  }

  /** A run in which nothing was tested is no success. */
  get succeeded() {
    return this.failures.length === 0 && this.passed > 0;
  }

  get line() {
    return `${this.passed} passed, ${this.failures.length} failed, ${this.skips.length} skipped`;
  }
}

/** Prints what was skipped and why, what failed, and the sum as the last line. */
export function printCounts(counts) {
  if (counts.skips.length > 0) console.log(`\nSkipped:\n${indent(counts.skips)}`);
  if (counts.failures.length > 0) console.log(`\nFailed:\n${indent(counts.failures)}`);
  console.log(`\n${counts.line}`);
}

function indent(lines) {
  return lines.map((line) => `  ${line.replaceAll('\n', '\n    ')}`).join('\n');
}
