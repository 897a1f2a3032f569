import { drainTimeMs } from '../core/drain-time.js';
import { SluiceError } from '../core/errors.js';
import type { Logger } from '../core/logger.js';

/** How long the answers that were ended may take to leave. */
const LEAVING_MS = 5_000;

/** A request that is under way while the engine stops. */
export interface OpenRequest {
  /** `total_timeout_ms` of its endpoint; undefined where the endpoint is not known yet. */
  readonly totalTimeoutMs: number | undefined;
  /** Its answer ends with an error, and its log says so. */
  giveUp(error: SluiceError): void;
}

export interface DrainDeadlineOptions {
  logger: Logger;
  /** Called where requests are still open some seconds after they were ended. */
  destroy: () => void;
}

/**
 * Bounds the drain of a stopping engine, because a model can send a stream without an end. A stream that is never quiet has no
 * timeout once its answer has begun, and a supervisor that loses its patience ends the engine with all logs of what is under way.
 * So what is still open after the longest `total_timeout_ms` of the open requests, and at least after ten minutes, ends with an
 * error and has its log. Returns a function that takes the deadline back.
 */
export function setDrainDeadline(
  open: () => readonly OpenRequest[],
  { logger, destroy }: DrainDeadlineOptions,
): () => void {
  const waitMs = drainTimeMs(open().map(({ totalTimeoutMs }) => totalTimeoutMs));
  let timer = setTimeout(() => {
    const requests = open();
    logger.warn(
      { requests: requests.length, waited_ms: waitMs },
      'requests had not ended when the engine had drained for its longest time; they end now with an error',
    );
    const message = `The engine is stopping, and the answer had not ended ${waitMs / 1000} seconds later.`;
    for (const request of requests) request.giveUp(new SluiceError('upstream_timeout', message));
    timer = setTimeout(destroy, LEAVING_MS);
  }, waitMs);
  return () => clearTimeout(timer);
}
