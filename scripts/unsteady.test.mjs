import { describe, expect, it } from 'vitest';
import { countsOfBoth, filesToRunAgain } from './unsteady.mjs';

const result = (state, file, test, text = 'late') => ({ project: 'contract', file, test, state, text });
const passed = (file, test) => result('passed', file, test);
const failed = (file, test, text) => result('failed', file, test, text);

describe('the files that are run a second time', () => {
  it('are those of contract tests that failed, each once', () => {
    const results = [
      failed('a', 'one'),
      passed('a', 'two'),
      failed('a', 'three'),
      passed('b', 'one'),
      failed('c'),
    ];
    expect(filesToRunAgain(results)).toEqual(['a', 'c']);
  });

  it('are none where everything passed', () => {
    expect(filesToRunAgain([passed('a', 'one'), result('skipped', 'b', 'one')])).toEqual([]);
  });

  it('are at most five', () => {
    const failures = (count) => Array.from({ length: count }, (_, index) => failed(`file ${index}`, 'one'));
    expect(filesToRunAgain(failures(5))).toHaveLength(5);
    expect(filesToRunAgain(failures(6))).toEqual([]);
  });

  it('are none where another project fails, or something outside of any test', () => {
    expect(filesToRunAgain([failed('a', 'one'), { ...failed('b', 'one'), project: 'unit' }])).toEqual([]);
    expect(filesToRunAgain([failed('a', 'one'), { state: 'failed', text: 'late' }])).toEqual([]);
  });
});

describe('the counts of both runs', () => {
  const first = [failed('a', 'one', 'no answer'), passed('a', 'two'), passed('b', 'one')];

  it('call unsteady what passes the second time, with its first error, and count each test once', () => {
    const counts = countsOfBoth(first, ['a'], [passed('a', 'one'), passed('a', 'two')]);
    expect(counts).toMatchObject({ passed: 3, failures: [], unsteady: ['a > one: no answer'] });
    expect(counts.succeeded).toBe(true);
  });

  it('count as a failure what fails again', () => {
    const counts = countsOfBoth(first, ['a'], [failed('a', 'one'), passed('a', 'two')]);
    expect(counts).toMatchObject({ passed: 2, failures: ['a > one'], unsteady: [] });
  });

  it('count as a failure what passed at first and fails the second time', () => {
    const counts = countsOfBoth(first, ['a'], [passed('a', 'one'), failed('a', 'two')]);
    expect(counts).toMatchObject({ failures: ['a > two'], unsteady: ['a > one: no answer'] });
    expect(counts.succeeded).toBe(false);
  });

  it('count as a failure what the second run skips or does not know', () => {
    const skipped = countsOfBoth(first, ['a'], [result('skipped', 'a', 'one'), passed('a', 'two')]);
    expect(skipped.failures).toEqual(['a > one']);
    expect(countsOfBoth(first, ['a'], [passed('a', 'two')]).failures).toEqual(['a > one']);
  });

  it('count as a failure a second run that ends without a result', () => {
    const ended = { state: 'failed', text: 'vitest ended with code 1' };
    const { failures } = countsOfBoth(first, ['a'], [ended]);
    expect(failures).toEqual(['outside of any test: vitest ended with code 1', 'a > one']);
  });

  it('require all tests of a file to pass whose hook failed', () => {
    const hook = [failed('a', undefined, 'no port'), result('skipped', 'a', 'one')];
    expect(countsOfBoth(hook, ['a'], [passed('a', 'one')]).unsteady).toEqual(['a: no port']);
    expect(countsOfBoth(hook, ['a'], [failed('a', 'one')])).toMatchObject({
      failures: ['a > one', 'a'],
      unsteady: [],
    });
    expect(countsOfBoth(hook, ['a'], [result('skipped', 'a', 'one')]).failures).toEqual(['a']);
    expect(countsOfBoth(hook, ['a'], []).failures).toEqual(['a']);
  });
});
