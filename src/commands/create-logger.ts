import { type Logger, pino } from 'pino';
import type { LogLevel } from '../config/environment.js';

/** What waits for a standard output that takes nothing; what comes on top is dropped. */
const WAITING_BYTES = 1 << 20;

/** Diagnostics on standard output: lines of JSON, or lines for people where it is a terminal. */
export async function createLogger(level: LogLevel): Promise<Logger> {
  const options = { name: 'sluice', level, base: { pid: process.pid } };
  if (process.stdout.isTTY) {
    const { default: pretty } = await import('pino-pretty');
    return pino(options, pretty({ ignore: 'pid,hostname,name', sync: true }));
  }
  const output = pino.destination({ dest: 1, sync: false, maxLength: WAITING_BYTES });
  // A full disk behind standard output must not end the engine; the next message tries again what waits. It must not
  // keep the engine from ending either: the flush at the exit would wait for room for ever.
  output.on('error', () => {
    output.flushSync = () => undefined;
  });
  return pino(options, output);
}
