import { SluiceError } from '../../core/errors.js';
import type { FallbackReason } from '../../core/settings.js';
import { retryAfterMs } from '../../routing/cooling.js';
import { pauseAsked } from '../../routing/rate-headers.js';
import type { Attempt } from '../exchange/attempt.js';
import type { Exchange } from '../exchange/exchange.js';
import type { AnswerHead } from '../exchange/http.js';
import type { Services } from '../exchange/ports.js';
import { closeAttempt } from './prepare-attempt.js';

export type UnansweredReason = Extract<FallbackReason, 'connect' | 'timeout' | 'server_error'>;

/** Why a status counts as a failure of the model; undefined where the answer is passed to the client. */
export function reasonOfStatus(status: number): 'rate_limited' | 'server_error' | undefined {
  if (status === 429 || status === 529) return 'rate_limited';
  return status >= 500 ? 'server_error' : undefined;
}

/**
 * Why Envoy answered in a provider's place, by its response code details: no connection, a timeout, or a broken
 * connection.
 */
export function reasonOfLocalReply(details: string): UnansweredReason {
  if (
    /connection_failure|connection_timeout|no_healthy_upstream|cluster_not_found|no_cluster|dns/.test(details)
  ) {
    return 'connect';
  }
  return /timeout/.test(details) ? 'timeout' : 'server_error';
}

const MESSAGES: Record<UnansweredReason, string> = {
  connect: 'No connection to the model could be made.',
  timeout: 'The model did not answer in time.',
  server_error: 'The model broke off its answer.',
};

/** The message for an answer that the engine cannot read. */
export const UNKNOWN_SHAPE = 'The answer of the model has an unknown format.';

/** The client's error where the last attempt got no answer. */
export function unansweredError(reason: UnansweredReason): SluiceError {
  return new SluiceError(
    reason === 'timeout' ? 'upstream_timeout' : 'upstream_unavailable',
    MESSAGES[reason],
  );
}

/** Ends an attempt that got no answer. */
export function closeUnanswered(attempt: Attempt, reason: UnansweredReason, services: Services): void {
  closeAttempt(attempt, { status: reason, error: { message: MESSAGES[reason] } }, services);
}

/** Keeps the parts of an answer's head that are needed when the attempt ends. */
export function noteHead(attempt: Attempt, head: AnswerHead, services: Services): void {
  attempt.record.http_status = head.status;
  const now = services.clock.now();
  attempt.retryAfterMs = retryAfterMs(head.headers['retry-after'], now);
  const pause = pauseAsked(head.headers, now);
  if (pause !== undefined) services.cooling.pause(attempt.choice, pause);
}

/** Milliseconds until the current attempt times out. */
export function tryTimeLeft(exchange: Exchange, nowMonotonic: number): number {
  const attempt = exchange.currentAttempt;
  if (attempt === undefined || exchange.endpoint === undefined) return Number.POSITIVE_INFINITY;
  return attempt.startedAt + exchange.tryTimeoutMs - nowMonotonic;
}
