import { closeSync, fstatSync, openSync, readSync, unwatchFile, watchFile } from 'node:fs';
import { isJsonObject, parseJson } from '../../core/json.js';

const INTERVAL_MS = 500;
/** Where a part prints more than this at once, only the first warnings are shown. Its log file has all of them. */
const MOST_BYTES = 64 * 1024;
/** The same warning is not shown again within this time. */
const QUIET_MS = 60_000;
const WARN = 40;

/**
 * Shows the warnings that a part (mongod, engine or Envoy) writes to its log file. Returns a function that stops
 * this.
 */
export function followWarnings(name: string, logPath: string, report: (line: string) => void): () => void {
  const shownAt = new Map<string, number>();
  let offset = 0;
  const read = () => {
    const bytes = readFrom(logPath, offset);
    // An incomplete line is read again next time. One that fills the whole buffer is skipped.
    const whole = bytes.lastIndexOf(10) + 1 || (bytes.length === MOST_BYTES ? MOST_BYTES : 0);
    offset += whole;
    for (const line of bytes.toString('utf8', 0, whole).split('\n')) {
      const warning = warningOf(line);
      if (warning === undefined || (shownAt.get(warning) ?? 0) > Date.now() - QUIET_MS) continue;
      shownAt.set(warning, Date.now());
      report(`${name.padEnd(7)} warns   ${warning}`);
    }
    for (const [warning, at] of shownAt) if (at <= Date.now() - QUIET_MS) shownAt.delete(warning);
  };
  watchFile(logPath, { interval: INTERVAL_MS, persistent: false }, read);
  return () => {
    unwatchFile(logPath, read);
    read();
  };
}

/** The warning in a line that pino, Envoy or mongod printed; undefined for other lines. */
export function warningOf(line: string): string | undefined {
  if (!line.startsWith('{')) return /^\[[^\]]+\]\[\d+\]\[(?:error|critical)\](.*)$/.exec(line)?.[1]?.trim();
  const entry = parseJson(line);
  if (!isJsonObject(entry)) return undefined; // A line that was cut off in the middle.
  if (entry.s === 'E' || entry.s === 'F') return String(entry.msg);
  if (!(typeof entry.level === 'number' && entry.level >= WARN)) return undefined;
  const details = [isJsonObject(entry.err) ? entry.err.message : undefined, entry.mistakes, entry.code];
  return [entry.msg, ...details.filter((text) => text !== undefined)].join(': ');
}

function readFrom(path: string, offset: number): Buffer {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch {
    return Buffer.alloc(0); // The part has printed nothing yet.
  }
  try {
    const bytes = Buffer.alloc(Math.min(MOST_BYTES, Math.max(0, fstatSync(file).size - offset)));
    return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, offset));
  } finally {
    closeSync(file);
  }
}
