import type { Logger } from '../core/logger.js';

/**
 * Logs uncaught errors and keeps the process running, because one request must not end the others. Returns a function
 * that undoes it: a failed start or shutdown must be visible.
 */
export function keepServing(logger: Logger): () => void {
  const report = (err: unknown) => logger.error({ err }, 'uncaught error; the engine keeps running');
  const events = ['unhandledRejection', 'uncaughtException'] as const;
  for (const event of events) process.on(event, report);
  return () => {
    for (const event of events) process.off(event, report);
  };
}
