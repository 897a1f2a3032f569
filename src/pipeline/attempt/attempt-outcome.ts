import type { SluiceError } from '../../core/errors.js';
import type { ProviderError } from '../../dialects/dialect.js';
import { modelKey } from '../../routing/plan.js';
import { isSuccess } from '../answer/answer-collector.js';
import { isForeign } from '../answer/answer-form.js';
import type { WholeAnswer } from '../answer/whole-answer.js';
import { toLogUsage } from '../end/log-usage.js';
import type { Attempt, Exchange } from '../exchange.js';
import type { Services } from '../ports.js';
import { reasonOfStatus, UNKNOWN_SHAPE } from './failures.js';
import { closeAttempt } from './prepare-attempt.js';
import { loggedMessage, statusMessage } from './provider-words.js';

/** What our headers say of the tries; `answered` where what a model answered goes out, be it an error. */
export function attemptHeaders(exchange: Exchange, answered: boolean): Record<string, string> {
  const attempt = exchange.currentAttempt;
  const headers: Record<string, string> = { 'x-inference-log-id': exchange.id };
  if (attempt === undefined) return headers;
  headers['x-sluice-attempts'] = String(attempt.number);
  if (answered) headers['x-sluice-model'] = modelKey(attempt.choice);
  if (answered && exchange.released !== undefined) headers['x-sluice-valid'] = 'false';
  return headers;
}

/** With one model and nothing to judge, its try ends with its whole answer. */
export function closeSingleTry(
  exchange: Exchange,
  attempt: Attempt,
  whole: WholeAnswer,
  services: Services,
): void {
  const { status } = whole.head;
  if (isSuccess(status)) {
    const answer = whole.kind === 'bytes' ? undefined : whole.answer;
    if (answer === undefined && isForeign(exchange, attempt)) {
      closeAttempt(attempt, { status: 'server_error', error: { message: UNKNOWN_SHAPE } }, services);
      return;
    }
    closeAttempt(attempt, { status: 'success', usage: toLogUsage(answer?.usage) }, services);
    return;
  }
  const error = { message: loggedError(exchange, attempt, whole) };
  closeAttempt(attempt, { status: reasonOfStatus(status) ?? 'client_error', error }, services);
}

/** What a provider's error says, in its own words where its dialect knows its shape. */
export function readProviderError(attempt: Attempt, whole: WholeAnswer): ProviderError {
  const known = whole.kind === 'json' ? attempt.dialect.readError(whole.document.value) : undefined;
  return known ?? { message: statusMessage(whole.head.status) };
}

/** The same as a log has it. */
export function loggedError(exchange: Exchange, attempt: Attempt, whole: WholeAnswer): string {
  const { message } = readProviderError(attempt, whole);
  return loggedMessage(exchange, message, statusMessage(whole.head.status));
}

/** How the log calls an exchange that ends with this error. */
export function statusOfError(error: SluiceError): 'rejected' | 'invalid_output' | 'error' {
  if (error.code === 'output_validation_failed') return 'invalid_output';
  return error.code === 'rejected_by_plugin' || error.code === 'pii_detected' ? 'rejected' : 'error';
}

/** How the log calls its last try. A model whose answer we refused has answered all the same. */
export function attemptStatusOf(error: SluiceError): 'success' | 'server_error' | 'timeout' {
  if (error.code === 'upstream_timeout') return 'timeout';
  return error.code === 'upstream_unavailable' ? 'server_error' : 'success';
}
