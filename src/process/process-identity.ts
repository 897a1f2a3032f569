import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/** Identifies a process, so that it is not confused with a later one with the same id. */
export interface ProcessIdentity {
  pid: number;
  /** Its start time, in the form that the system uses. It is only compared. */
  started: string;
}

/** The identity of a process. Undefined where no such process runs (a zombie does not count). */
export function identityOf(pid: number): ProcessIdentity | undefined {
  const started = existsSync('/proc/self/stat') ? startedFromProc(pid) : startedFromPs(pid);
  return started === undefined ? undefined : { pid, started };
}

export function isRunning(identity: ProcessIdentity): boolean {
  return identityOf(identity.pid)?.started === identity.started;
}

function startedFromProc(pid: number): string | undefined {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined; // There is no such process.
  }
  // The name in parentheses may contain spaces; after it, the state is field 3 and the start time field 22.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (fields[0] === 'Z' || fields[0] === 'X') return undefined;
  const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  return `${boot}/${fields[19]}`;
}

function startedFromPs(pid: number): string | undefined {
  try {
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim() || undefined;
  } catch {
    return undefined; // ps exits with 1 where there is no such process.
  }
}
