import { readdirSync, readFileSync } from 'node:fs';

/* How much CPU and memory processes have used, from /proc. `parts` maps a name to a process id. */

const TICKS_PER_SECOND = 100;

/** Seconds of user and system time of each process with all its threads. */
export function cpuOf({ parts }) {
  return mapParts(parts, (pid) => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
  });
}

/** The processor time that the machine has had since it started, and how much of it was idle, in seconds. */
export function processorSeconds() {
  const [user, nice, system, idle, wait, interrupts, soft, stolen] = readFileSync('/proc/stat', 'utf8')
    .split('\n', 1)[0]
    .split(/\s+/)
    .slice(1)
    .map((ticks) => Number(ticks) / TICKS_PER_SECOND);
  return { all: user + nice + system + idle + wait + interrupts + soft + stolen, idle: idle + wait };
}

/** The CPU seconds of those children of this process that have ended. */
export function cpuOfEndedChildren() {
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1].split(' ');
  return (Number(fields[13]) + Number(fields[14])) / TICKS_PER_SECOND;
}

/** Resident MiB of each process, including garbage that is not collected yet. */
export function memoryOf(target) {
  return readStatus(target, /VmRSS:\s+(\d+)/);
}

/** Resident MiB of each process without mapped files, such as the program itself, which other processes share. */
export function anonymousOf(target) {
  return readStatus(target, /RssAnon:\s+(\d+)/);
}

function readStatus({ parts }, pattern) {
  return mapParts(
    parts,
    (pid) => Number(pattern.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024,
  );
}

export function openFilesOf({ parts }) {
  return mapParts(parts, (pid) => readdirSync(`/proc/${pid}/fd`).length);
}

function mapParts(parts, read) {
  return Object.fromEntries(Object.entries(parts).map(([name, pid]) => [name, read(pid)]));
}
