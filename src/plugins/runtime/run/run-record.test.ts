import { describe, expect, it } from 'vitest';
import type { PluginRun } from '../../../core/log-record.js';
import { boundedRun } from './run-record.js';

function runWith(findings: PluginRun['findings']): PluginRun {
  return { plugin: 'guard', phase: 'request', outcome: 'passed', duration_ms: 1, findings };
}
const finding = (place: string) => ({ type: 'PERSON', place, start: 0, end: 4, score: 1 });

describe('the run of a plugin, as a log keeps it', () => {
  it('has only its first thousand findings', () => {
    const findings = Array.from({ length: 1_001 }, (_none, index) => finding(`/${index}`));
    expect(boundedRun(runWith(findings)).findings).toEqual(findings.slice(0, 1_000));
  });

  it('has at most 500 characters for the place of a finding', () => {
    const [short, long] = [finding('/messages/0'), finding(`/${'x'.repeat(600)}`)];
    const { findings } = boundedRun(runWith([short, long]));
    expect(findings.map(({ place }) => place.length)).toEqual([short.place.length, 500]);
  });

  it('is the run itself where it is within the limits', () => {
    const run = runWith([finding('/messages/0')]);
    expect(boundedRun(run)).toBe(run);
  });
});
