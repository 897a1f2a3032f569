import type { MemberState } from '../../store/mongodb/diagnosis.js';
import { type Finding, ok, problem } from './finding.js';

/** A member writes a heartbeat every ten seconds when there is nothing else to write. */
const LAG_LIMIT_SECONDS = 20;

/** What to do about a member in this state. States without a problem are not listed. */
const REMEDIES: Record<string, string> = {
  DOWN: 'start mongod there, or find out why the other members cannot reach it; nothing is written while a majority is down',
  UNKNOWN: 'wait a moment; if that does not help, check that the other members can reach it',
  STARTUP: 'wait until it has read its configuration',
  STARTUP2: 'wait until it has copied the data',
  RECOVERING:
    'wait until it has caught up; if that takes long, look at its log, because it may have to copy the data again',
  ROLLBACK: 'wait until it has undone the writes that the other members do not have',
  REMOVED: 'add it to the set again, or stop it',
};

/** One finding for each member of a replica set, and one where none of them is primary. */
export function findingsOf(members: readonly MemberState[]): Finding[] {
  const findings = members.map(findingOf);
  if (members.length === 0 || members.some(({ state }) => state === 'PRIMARY')) return findings;
  const remedy =
    'start members until a majority runs; until then logs wait in the spools, and feedback is refused';
  return [...findings, problem('mongodb primary', 'no member is primary', remedy)];
}

function findingOf({ name, state, lagSeconds, message }: MemberState): Finding {
  const check = `mongodb member ${name}`;
  const remedy = REMEDIES[state];
  if (remedy !== undefined)
    return problem(check, message === undefined ? state : `${state}: ${message}`, remedy);
  if (lagSeconds === undefined || state === 'PRIMARY') return ok(check, state);
  const detail = `${state}, ${Math.round(lagSeconds)} s behind`;
  return lagSeconds > LAG_LIMIT_SECONDS
    ? problem(
        check,
        detail,
        'check its disk, its CPU and its network; writes that it does not have yet are lost if the other members are',
      )
    : ok(check, detail);
}
