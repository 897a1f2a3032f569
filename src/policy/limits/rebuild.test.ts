import { describe, expect, it } from 'vitest';
import type { LogLimit } from '../../core/log-record.js';
import { usedByLogs } from './rebuild.js';

const NOW = Date.parse('2026-05-05T10:30:30Z');
const limit = (id: string, outcome: LogLimit['outcome']): LogLimit => ({
  id,
  per: 'project',
  kind: 'requests',
  window: 'minute',
  limit: 5,
  outcome,
});
const log = (limits: LogLimit[], at = NOW) => ({
  created_at: new Date(at),
  limits,
  usage: { input_tokens: 2, output_tokens: 3 },
  cost: 0.5,
});

describe('the counts that are rebuilt from logs', () => {
  it('are the same as were counted in the current windows', () => {
    const logs = [
      log([limit('a', 'passed')]),
      log([limit('a', 'warned')]),
      log([limit('a', 'passed')], NOW - 60_000),
    ];
    expect(usedByLogs(logs, NOW)).toEqual([{ key: 'a', requests: 2, tokens: 10, cost_usd: 1 }]);
  });

  it('do not include a request that one limit refused, not even for limits that allowed it', () => {
    expect(usedByLogs([log([limit('a', 'passed'), limit('b', 'rejected')])], NOW)).toEqual([]);
  });
});
