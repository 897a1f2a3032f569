import { type LogFn, type Logger, pino } from 'pino';
import type { LogLevel } from '../config/environment.js';

/** The most bytes that wait while standard output is blocked. More are dropped. */
const WAITING_BYTES = 1 << 20;

/** The program's log on standard output: lines of JSON, or readable lines where it is a terminal. */
export async function createLogger(level: LogLevel): Promise<Logger> {
  const options = { name: 'sluice', level, base: { pid: process.pid }, hooks: { logMethod: callFields } };
  if (process.stdout.isTTY) {
    const { default: pretty } = await import('pino-pretty');
    return pino(options, pretty({ ignore: 'pid,hostname,name', sync: true }));
  }
  const output = pino.destination({ dest: 1, sync: false, maxLength: WAITING_BYTES });
  // A full disk behind standard output must not end the engine; the next message writes what waits. It must not keep
  // the engine from exiting either: the flush at exit would wait for space without end.
  output.on('error', () => {
    output.flushSync = () => undefined;
  });
  return pino(options, output);
}

/** The first argument of `debug` is a function, which is called only where this level is logged. */
function callFields(this: Logger, args: Parameters<LogFn>, method: LogFn): void {
  const [fields, ...rest] = args as [unknown, ...unknown[]];
  const called = typeof fields === 'function' ? fields() : fields;
  method.apply(this, [called, ...rest] as Parameters<LogFn>);
}
