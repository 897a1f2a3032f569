import { type Logger, pino } from 'pino';

/** What waits for a standard output that takes nothing; what comes on top is dropped. */
const WAITING_BYTES = 1 << 20;

/** Diagnostics as lines of JSON on standard output. */
export function createLogger(): Logger {
  const output = pino.destination({ dest: 1, sync: false, maxLength: WAITING_BYTES });
  // A full disk behind standard output must not end the engine; the next message tries again what waits. Nor must
  // it keep the engine from ending: the flush at the exit would wait for room for ever.
  output.on('error', () => {
    output.flushSync = () => undefined;
  });
  return pino({ name: 'sluice', base: { pid: process.pid } }, output);
}
