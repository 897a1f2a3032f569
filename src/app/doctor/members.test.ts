import { describe, expect, it } from 'vitest';
import { membersOf } from '../../store/mongodb/diagnosis.js';
import { findingsOf } from './members.js';

const NOW = new Date('2026-05-01T12:00:00Z');
const status = (name: string, stateStr: string, lagSeconds = 0, changes: object = {}) => ({
  name,
  health: 1,
  stateStr,
  optimeDate: new Date(NOW.getTime() - lagSeconds * 1000),
  ...changes,
});
const NEVER = new Date(0);

describe('the members of a replica set', () => {
  it('are healthy with a primary, others that follow it, and an arbiter without data', () => {
    const members = membersOf([
      status('a:1', 'PRIMARY'),
      status('b:1', 'SECONDARY', 7.2),
      status('c:1', 'ARBITER', 0, { optimeDate: undefined }),
    ]);
    expect(findingsOf(members)).toEqual([
      { check: 'mongodb member a:1', status: 'ok', detail: 'PRIMARY' },
      { check: 'mongodb member b:1', status: 'ok', detail: 'SECONDARY, 7 s behind' },
      { check: 'mongodb member c:1', status: 'ok', detail: 'ARBITER' },
    ]);
  });

  it.each([
    [
      'is down',
      { health: 0, stateStr: '(not reachable/healthy)', optimeDate: NEVER },
      'DOWN: no route',
      'start mongod',
    ],
    ['copies the data', { stateStr: 'STARTUP2' }, 'STARTUP2: no route', 'copied'],
    ['cannot catch up', { stateStr: 'RECOVERING' }, 'RECOVERING: no route', 'look at its log'],
  ])('are reported where one %s, with what to do', (_what, changes, detail, remedy) => {
    const other = { ...status('b:1', 'SECONDARY'), lastHeartbeatMessage: 'no route', ...changes };
    const [, finding] = findingsOf(membersOf([status('a:1', 'PRIMARY'), other]));
    expect(finding).toEqual({
      check: 'mongodb member b:1',
      status: 'problem',
      detail,
      remedy: expect.stringContaining(remedy),
    });
  });

  it('are reported where one is far behind', () => {
    const [, finding] = findingsOf(membersOf([status('a:1', 'PRIMARY'), status('b:1', 'SECONDARY', 90)]));
    expect(finding).toMatchObject({ status: 'problem', detail: 'SECONDARY, 90 s behind' });
  });

  it('are reported where none of them is primary', () => {
    const findings = findingsOf(
      membersOf([status('a:1', 'SECONDARY'), status('b:1', 'DOWN', 0, { health: 0 })]),
    );
    expect(findings.map(({ check, status }) => [check, status])).toEqual([
      ['mongodb member a:1', 'ok'],
      ['mongodb member b:1', 'problem'],
      ['mongodb primary', 'problem'],
    ]);
  });

  it('have no findings where no member is known', () => {
    expect(findingsOf([])).toEqual([]);
  });
});
