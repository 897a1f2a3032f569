import { describe, expect, it } from 'vitest';
import type { Log } from '../api/client.ts';
import { findingsByTurn, groupFindings } from './findings.ts';

const finding = (type: string, place: string, score = 1) => ({ type, place, start: 0, end: 1, score });

describe('findings', () => {
  it('are grouped by type, the most frequent first', () => {
    const all = [finding('PERSON', '/0', 0.5), finding('URL', '/0'), finding('PERSON', '/0', 0.9)];
    expect(
      groupFindings(all).map(({ type, count, lowest, highest }) => [type, count, lowest, highest]),
    ).toEqual([
      ['PERSON', 2, 0.5, 0.9],
      ['URL', 1, 1, 1],
    ]);
  });

  it('are grouped by turn and part, with the plugin and its reason in words', () => {
    const decisions = [{ entity_type: 'PERSON', place: '/1', score: 1, recognizer: 'names', context: [] }];
    const run = (phase: string, findings: object[], debug?: object) => ({
      plugin: 'pii',
      phase,
      findings,
      debug,
    });
    const log = {
      plugin_runs: [
        run('request', [finding('PERSON', '/1/parts/2/text')], { decisions }),
        run('response', [finding('URL', '/0/message/parts/0/text')]),
      ],
    } as unknown as Log;
    expect(findingsByTurn(log, 'request').get(1)?.get(2)).toMatchObject([
      { plugin: 'pii', reason: 'recognizer: names' },
    ]);
    expect(findingsByTurn(log, 'response').get(0)?.get(0)).toMatchObject([
      { type: 'URL', reason: undefined },
    ]);
  });
});
