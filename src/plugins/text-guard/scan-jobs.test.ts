import { describe, expect, it } from 'vitest';
import type { TextScanner } from './found.js';
import { type JobEnd, ScanJobs } from './scan-jobs.js';

/** A clock of a thread's work that each step moves on by ten milliseconds; a turn is then one step. */
function stepping(): { clock: { now(): number }; scanner: TextScanner } {
  let worked = 0;
  const scanner: TextScanner = {
    *scan(text) {
      for (let step = 0; step < text.length; step++) {
        worked += 10;
        const end = performance.now() + 5;
        while (performance.now() < end);
        yield;
      }
      return [{ type: 'LENGTH', start: 0, end: text.length, score: 1 }];
    },
  };
  return { clock: { now: () => worked }, scanner };
}

function runAll(jobs: ScanJobs): JobEnd[] {
  const ends: JobEnd[] = [];
  while (jobs.size > 0) {
    const end = jobs.turn(String);
    if (end !== undefined) ends.push(end);
  }
  return ends;
}

describe('the jobs of a thread that checks texts', () => {
  it('take turns, so that a short one ends before a long one that came first', () => {
    const { clock, scanner } = stepping();
    const jobs = new ScanJobs(clock);
    jobs.take(1, ['long text'], false);
    jobs.start(1, scanner, 1_000);
    jobs.take(2, ['ab'], false);
    jobs.start(2, scanner, 1_000);
    expect(runAll(jobs).map(({ job }) => job)).toEqual([2, 1]);
  });

  it('are limited by their own work, not by that of others', () => {
    const { clock, scanner } = stepping();
    const jobs = new ScanJobs(clock);
    for (const id of [1, 2, 3, 4]) {
      jobs.take(id, ['abc'], false);
      jobs.start(id, scanner, 30);
    }
    expect(runAll(jobs).map(({ kind }) => kind)).toEqual(['found', 'found', 'found', 'found']);
  });

  it('end at the latest where their own work exceeds its time', () => {
    const { clock, scanner } = stepping();
    const jobs = new ScanJobs(clock);
    jobs.take(1, ['a long text'], false);
    jobs.start(1, scanner, 30);
    expect(runAll(jobs)).toEqual([{ kind: 'late', job: 1 }]);
  });

  it('join texts that came in pieces', () => {
    const { clock, scanner } = stepping();
    const jobs = new ScanJobs(clock);
    jobs.take(1, ['a', 'b'], false);
    jobs.take(1, ['cd', 'e'], true);
    jobs.take(1, ['fg'], true);
    jobs.start(1, scanner, 1_000);
    const [end] = runAll(jobs);
    expect(end?.kind === 'found' && end.found.map(([one]) => one?.end)).toEqual([1, 3, 3]);
  });

  it('report an error, and the others continue', () => {
    const { clock, scanner } = stepping();
    const jobs = new ScanJobs(clock);
    const broken: TextScanner = {
      // biome-ignore lint/correctness/useYield: it throws before it could
      *scan() {
        throw new Error('broken');
      },
    };
    jobs.take(1, ['a'], false);
    jobs.start(1, broken, 1_000);
    jobs.take(2, ['a'], false);
    jobs.start(2, scanner, 1_000);
    expect(runAll(jobs)).toMatchObject([{ kind: 'threw', reason: 'Error: broken' }, { kind: 'found' }]);
  });
});
