import type { Logger } from '../core/logger.js';

/**
 * What nobody caught is told, and the process goes on: one request must not end the others. Gives what undoes it, for
 * a start or an end that fails has to be seen.
 */
export function keepServing(logger: Logger): () => void {
  const report = (err: unknown) => logger.error({ err }, 'an error that nobody caught; the engine goes on');
  const events = ['unhandledRejection', 'uncaughtException'] as const;
  for (const event of events) process.on(event, report);
  return () => {
    for (const event of events) process.off(event, report);
  };
}
