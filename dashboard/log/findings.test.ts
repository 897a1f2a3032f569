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
    const decisions = [
      {
        entity_type: 'PERSON',
        place: '/1',
        score: 1,
        recognizer: 'names',
        pattern: 'full name',
        base_score: 0.4,
        validation: 'none',
        context_word: 'Mr.',
        context: [],
        own_note: 'short',
      },
    ];
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
      {
        plugin: 'pii',
        reason:
          'Found by names with the pattern “full name”. The word “Mr.” beside it changed the score. Its score was 0.4 at first. Own note: short.',
      },
    ]);
    expect(findingsByTurn(log, 'response').get(0)?.get(0)).toMatchObject([
      { type: 'URL', reason: undefined },
    ]);
  });

  it.each([
    ['masked', 'modified', undefined, true],
    ['masked', 'rejected', undefined, true],
    ['masked', 'passed', undefined, false],
    ['masked', 'modified', true, false],
    ['as_it_was', 'modified', undefined, false],
  ])(
    'in a text that is %s, by a run that %s (observed: %s), are masked: %s',
    (kept, outcome, observed, masked) => {
      const run = {
        plugin: 'pii',
        phase: 'request',
        outcome,
        observed,
        findings: [finding('URL', '/0/parts/0/text')],
      };
      const log = { request_kept: kept, plugin_runs: [run] } as unknown as Log;
      expect(findingsByTurn(log, 'request').get(0)?.get(0)).toMatchObject([{ masked }]);
    },
  );
});
