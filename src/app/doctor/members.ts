import type { MemberState } from '../../store/mongodb/diagnosis.js';
import { type Finding, ok, problem } from './finding.js';

/** A member writes a heartbeat every ten seconds when there is nothing else to write. */
const LAG_LIMIT_SECONDS = 20;

/** What to do about a member in this state. States without a problem are not listed. */
const REMEDIES: Record<string, string> = {
  DOWN: 'start mongod there, or see why the others cannot reach it; with a majority down nothing is written',
  UNKNOWN: 'wait a moment; if it stays so, see whether the others can reach it',
  STARTUP: 'wait until it has read its configuration',
  STARTUP2: 'wait: it copies the data',
  RECOVERING: 'wait until it has caught up; if it stays so, see its log: it may have to copy the data anew',
  ROLLBACK: 'wait: it takes back what the others do not have',
  REMOVED: 'add it to the set again, or end it',
};

/** One finding for each member of a replica set, and one where none of them is primary. */
export function findingsOf(members: readonly MemberState[]): Finding[] {
  const findings = members.map(findingOf);
  if (members.length === 0 || members.some(({ state }) => state === 'PRIMARY')) return findings;
  const remedy = 'start members until a majority is there: logs wait in the spools, feedback is refused';
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
        'see its disk, its CPU and the network to it; what it has not got is lost with the others',
      )
    : ok(check, detail);
}
