import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import CountingReporter from './counting-reporter.mjs';
import { Counts, countsOf } from './counts.mjs';

const sumOf = (parts) => Object.assign(new Counts(), parts);

describe('the sum of a run', () => {
  it('is one line about all parts', () => {
    const sum = sumOf({ passed: 2, skips: ['a'] });
    sum.add(sumOf({ passed: 3, failures: ['b', 'c'] }));
    expect(sum.line).toBe('5 passed, 2 failed, 1 skipped');
  });

  it('says how many tests passed only the second time', () => {
    expect(sumOf({ passed: 2, unsteady: ['a'] }).line).toBe('2 passed, 0 failed, 0 skipped, 1 unsteady');
  });

  it('is a success only where something passed and nothing failed', () => {
    expect(sumOf({ passed: 1, skips: ['a'] }).succeeded).toBe(true);
    expect(sumOf({ passed: 1, failures: ['a'] }).succeeded).toBe(false);
    expect(sumOf({ skips: ['a'] }).succeeded).toBe(false);
  });
});

describe('the counting reporter', () => {
  const project = { name: 'contract', getProvidedContext: () => ({ missing: 'no Envoy here' }) };
  const test = (fullName, state, { note, errors } = {}) => ({
    fullName,
    result: () => ({ state, note, errors }),
  });
  const module = (relativeModuleId, tests, { state = 'passed', errors = [], hookErrors = [] } = {}) => ({
    relativeModuleId,
    project,
    children: { allTests: () => tests, allSuites: () => [{ errors: () => hookErrors }] },
    state: () => state,
    errors: () => errors,
  });

  const report = (modules, errors = []) => {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-results-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    vi.stubEnv('RESULTS_FILE', join(folder, 'results.json'));
    onTestFinished(() => vi.unstubAllEnvs());
    new CountingReporter().onTestRunEnd(modules, errors);
    return JSON.parse(readFileSync(join(folder, 'results.json'), 'utf8'));
  };

  it('names what failed, and what was skipped, with the reason', () => {
    const tests = [
      test('works', 'passed'),
      test('breaks', 'failed', { errors: [{ message: 'expected 1\nto be 2' }] }),
      test('waits', 'skipped', { note: 'needs curl' }),
      test('is far', 'skipped'),
    ];
    const results = report([module('a.test.ts', tests, { state: 'failed' })]);
    expect(results[1]).toEqual({
      project: 'contract',
      file: 'a.test.ts',
      test: 'breaks',
      state: 'failed',
      text: 'expected 1',
    });
    expect(countsOf(results)).toMatchObject({
      passed: 1,
      failures: ['a.test.ts > breaks'],
      skips: ['a.test.ts > waits: needs curl', 'a.test.ts > is far: no Envoy here'],
    });
  });

  it('counts a file that cannot be loaded, a hook that fails, and errors outside of any test', () => {
    const results = report(
      [
        module('a.test.ts', [], { state: 'failed', errors: [{ message: 'no such module' }] }),
        module('b.test.ts', [test('works', 'skipped')], { hookErrors: [{ message: 'no port' }] }),
      ],
      [{ message: 'late' }],
    );
    expect(countsOf(results).failures).toEqual(['a.test.ts', 'b.test.ts', 'outside of any test: late']);
    const failed = results.filter(({ state }) => state === 'failed');
    expect(failed.map(({ text }) => text)).toEqual(['no such module', 'no port', 'late']);
  });
});
