import { readdirSync, readFileSync } from 'node:fs';

/**
 * The CPU time that a process's threads have used, in milliseconds, exact to the nanosecond. Threads that have ended
 * are not counted.
 */
export function cpuMs(pid) {
  const ofThread = (id) => Number(readFileSync(`/proc/${pid}/task/${id}/schedstat`, 'utf8').split(' ')[0]);
  return readdirSync(`/proc/${pid}/task`).reduce((sum, id) => sum + ofThread(id), 0) / 1e6;
}
