import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import CountingReporter from './counting-reporter.mjs';
import { Counts } from './counts.mjs';

const countsOf = (parts) => Object.assign(new Counts(), parts);

describe('the sum of a run', () => {
  it('is one line over all parts', () => {
    const sum = countsOf({ passed: 2, skips: ['a'] });
    sum.add(countsOf({ passed: 3, failures: ['b', 'c'] }));
    expect(sum.line).toBe('5 passed, 2 failed, 1 skipped');
  });

  it('is a success only where something passed and nothing failed', () => {
    expect(countsOf({ passed: 1, skips: ['a'] }).succeeded).toBe(true);
    expect(countsOf({ passed: 1, failures: ['a'] }).succeeded).toBe(false);
    expect(countsOf({ skips: ['a'] }).succeeded).toBe(false);
  });
});

describe('the counting reporter', () => {
  const project = { getProvidedContext: () => ({ missing: 'no Envoy here' }) };
  const test = (fullName, state, note) => ({ fullName, project, result: () => ({ state, note }) });
  const module = (relativeModuleId, tests, { state = 'passed', errors = [] } = {}) => ({
    relativeModuleId,
    children: { allTests: () => tests },
    state: () => state,
    errors: () => errors,
  });

  const report = (modules, errors = []) => {
    const directory = mkdtempSync(join(tmpdir(), 'sluice-counts-'));
    onTestFinished(() => rmSync(directory, { recursive: true }));
    vi.stubEnv('COUNTS_FILE', join(directory, 'counts.json'));
    onTestFinished(() => vi.unstubAllEnvs());
    new CountingReporter().onTestRunEnd(modules, errors);
    return JSON.parse(readFileSync(join(directory, 'counts.json'), 'utf8'));
  };

  it('names what failed, and what was skipped with its reason', () => {
    const tests = [
      test('works', 'passed'),
      test('breaks', 'failed'),
      test('waits', 'skipped', 'needs curl'),
      test('is far', 'skipped'),
    ];
    expect(report([module('a.test.ts', tests, { state: 'failed' })])).toEqual({
      passed: 1,
      failures: ['a.test.ts > breaks'],
      skips: ['a.test.ts > waits: needs curl', 'a.test.ts > is far: no Envoy here'],
    });
  });

  it('counts a file that cannot be loaded, and errors outside of any test', () => {
    const counts = report([module('a.test.ts', [], { state: 'failed' })], [{ message: 'late' }]);
    expect(counts).toEqual({ passed: 0, failures: ['a.test.ts', 'outside of any test: late'], skips: [] });
  });
});
