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

/** Why a status counts as a failure of the model; undefined where the answer goes to the client as it came. */
export function reasonOfStatus(status: number): 'rate_limited' | 'server_error' | undefined {
  if (status === 429 || status === 529) return 'rate_limited';
  return status >= 500 ? 'server_error' : undefined;
}

/**
 * Why Envoy answered in a provider's place, from its response code details: no connection, a time that ran
 * out, or a connection that broke.
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

/** What is said of an answer that nobody here can read. */
export const UNKNOWN_SHAPE = 'The model answered in a shape that is not known.';

/** What the client is told where the last try got no answer. */
export function unansweredError(reason: UnansweredReason): SluiceError {
  return new SluiceError(
    reason === 'timeout' ? 'upstream_timeout' : 'upstream_unavailable',
    MESSAGES[reason],
  );
}

/** Ends a try that got no answer. */
export function closeUnanswered(attempt: Attempt, reason: UnansweredReason, services: Services): void {
  closeAttempt(attempt, { status: reason, error: { message: MESSAGES[reason] } }, services);
}

/** Keeps of the head of a try's answer what is asked for when the try ends. */
export function noteHead(attempt: Attempt, head: AnswerHead, services: Services): void {
  attempt.record.http_status = head.status;
  const now = services.clock.now();
  attempt.retryAfterMs = retryAfterMs(head.headers['retry-after'], now);
  const pause = pauseAsked(head.headers, now);
  if (pause !== undefined) services.cooling.pause(attempt.choice, pause);
}

/** The time that the current try has left, in milliseconds. */
export function tryTimeLeft(exchange: Exchange, nowMonotonic: number): number {
  const attempt = exchange.currentAttempt;
  if (attempt === undefined || exchange.endpoint === undefined) return Number.POSITIVE_INFINITY;
  return attempt.startedAt + exchange.tryTimeoutMs - nowMonotonic;
}
