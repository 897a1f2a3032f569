import type { Answer, LeftOut } from '../../core/answer.js';
import type { SluiceError } from '../../core/errors.js';
import { parseJson } from '../../core/json.js';
import type { ProviderError } from '../../dialects/dialect.js';
import { BROKEN_OFF } from '../../dialects/translate/error-types.js';
import { readAnyError, readErrorText } from '../../dialects/translate/provider-error.js';
import { modelKey } from '../../routing/plan.js';
import { isForeign } from '../exchange/answer-form.js';
import type { Attempt } from '../exchange/attempt.js';
import type { Exchange } from '../exchange/exchange.js';
import type { Services } from '../exchange/ports.js';
import { isGuarded } from '../exchange/response-guards.js';
import type { HeldStream, WholeAnswer } from '../exchange/whole-answer.js';
import { reasonOfStatus, UNKNOWN_SHAPE } from './failures.js';
import { toLogUsage } from './log-usage.js';
import { closeAttempt } from './prepare-attempt.js';
import { loggedMessage, STREAM_ERROR, statusMessage } from './provider-words.js';
import { isSuccess } from './read/answer-collector.js';

/** The gateway's headers about the attempts. `answered`: the client gets what a model answered, even if it is an error. */
export function attemptHeaders(exchange: Exchange, answered: boolean): Record<string, string> {
  const attempt = exchange.currentAttempt;
  const headers: Record<string, string> = {
    'x-inference-log-id': exchange.id,
    ...exchange.admission?.headers(exchange.startedAt),
    ...(exchange.cache === undefined ? {} : { 'x-sluice-cache': exchange.cache.state }),
  };
  if (attempt === undefined) return headers;
  headers['x-sluice-attempts'] = String(attempt.replayed ? 0 : attempt.number);
  if (answered) headers['x-sluice-model'] = modelKey(attempt.choice);
  if (answered && exchange.released.invalid !== undefined) headers['x-sluice-valid'] = 'false';
  if (answered && attempt.leftOut !== undefined)
    headers['x-sluice-left-out'] = leftOutHeader(attempt.leftOut);
  return headers;
}

/** The longest value of the header, so that a request with hundreds of tools does not fill the head of its answer. */
const MOST_LEFT_OUT_UNITS = 500;

/** The header's value, such as `tools[2] web_search, input[4] compaction`. */
function leftOutHeader(leftOut: readonly LeftOut[]): string {
  const listed = leftOut.map(({ path, what }) => (path === what ? path : `${path} ${what}`)).join(', ');
  const plain = listed.replace(/[^\x20-\x7e]/g, '?');
  return plain.length <= MOST_LEFT_OUT_UNITS ? plain : `${plain.slice(0, MOST_LEFT_OUT_UNITS)}...`;
}

/** Ends an attempt whose output is not validated, with its complete answer. */
export function closeWholeTry(
  exchange: Exchange,
  attempt: Attempt,
  whole: WholeAnswer,
  services: Services,
): void {
  const { status } = whole.head;
  const usages = toLogUsage(answerOf(whole)?.usage);
  const message = whole.kind === 'stream' ? loggedStreamFailure(exchange, whole) : undefined;
  if (message !== undefined) {
    closeAttempt(attempt, { status: 'server_error', error: { message }, ...usages }, services);
  } else if (isSuccess(status) && !saysNothing(exchange, whole)) {
    closeAttempt(attempt, { status: 'success', ...usages }, services);
  } else {
    const error = { message: loggedError(exchange, attempt, whole) };
    const reason = isSuccess(status) ? 'server_error' : reasonOfStatus(status);
    closeAttempt(attempt, { status: reason ?? 'client_error', error }, services);
  }
}

/**
 * Whether a 2xx answer is not the answer of a model but a proxy's page, an error, or empty. Where the content
 * encoding is unknown, only an answer that cannot be passed on counts as such.
 */
export function saysNothing(exchange: Exchange, whole: WholeAnswer): boolean {
  if (answerOf(whole) !== undefined || exchange.call === 'count_tokens') return false;
  const unpacked = whole.head.headers['content-encoding'] === undefined;
  return isSuccess(whole.head.status) && (unpacked || isForeign(exchange, exchange.currentAttempt!));
}

/** The text of a provider's error, where its dialect knows the format. */
export function readProviderError(attempt: Attempt, whole: WholeAnswer): ProviderError {
  if (whole.kind === 'json') {
    return attempt.dialect.readError(whole.document.value) ?? { message: wordlessError(whole) };
  }
  const read =
    whole.kind === 'bytes' && !isSuccess(whole.head.status) ? readErrorBytes(whole.body) : undefined;
  return read ?? { message: wordlessError(whole) };
}

/** Only this much of a longer body is read. */
const MOST_ERROR_BYTES = 65_536;

/** Reads an error that is not a JSON object: a list, plain text, or a page. */
function readErrorBytes(body: Buffer): ProviderError | undefined {
  const text = body.subarray(0, MOST_ERROR_BYTES).toString('utf8');
  const value = parseJson(text);
  return (value === undefined ? undefined : readAnyError(value)) ?? readErrorText(text);
}

/** The message of an error that a provider sent with a 2xx status; undefined where there is none. */
export function errorInSuccess(exchange: Exchange, attempt: Attempt, whole: WholeAnswer): string | undefined {
  if (whole.kind !== 'json' || whole.answer !== undefined || !isSuccess(whole.head.status)) return undefined;
  const { dialect } = attempt;
  const isForeignAnswer = isForeign(exchange, attempt);
  const read = isForeignAnswer ? dialect.readError : dialect.disguisedError;
  return isForeignAnswer && isGuarded(exchange) ? undefined : read?.(whole.document.value)?.message;
}

/** The same message for the log, without content that response plugins would have checked. */
export function loggedError(exchange: Exchange, attempt: Attempt, whole: WholeAnswer): string {
  const wordless = wordlessError(whole);
  if (isSuccess(whole.head.status) && isGuarded(exchange)) return wordless;
  return loggedMessage(exchange, readProviderError(attempt, whole).message, wordless);
}

/** Why a completely received stream is not a complete answer. */
export function streamFailure(whole: HeldStream): string | undefined {
  return whole.errorMessage ?? (whole.complete ? undefined : BROKEN_OFF.message);
}

/** The same reason for the log. */
export function loggedStreamFailure(exchange: Exchange, whole: HeldStream): string | undefined {
  const { errorMessage } = whole;
  return errorMessage === undefined
    ? streamFailure(whole)
    : loggedMessage(exchange, errorMessage, STREAM_ERROR);
}

function wordlessError({ head }: WholeAnswer): string {
  return isSuccess(head.status) ? UNKNOWN_SHAPE : statusMessage(head.status);
}

function answerOf(whole: WholeAnswer): Answer | undefined {
  return whole.kind === 'bytes' ? undefined : whole.answer;
}

/** Codes of exchanges that a rule of the operator ended. Their status is `rejected` and not `error`. */
const REJECTIONS: ReadonlySet<string> = new Set([
  'rejected_by_plugin',
  'pii_detected',
  'rate_limited',
  'budget_exceeded',
]);

/** The status of an exchange that ends with this error. */
export function statusOfError(error: SluiceError): 'rejected' | 'invalid_output' | 'error' {
  if (error.code === 'output_validation_failed') return 'invalid_output';
  return REJECTIONS.has(error.code) ? 'rejected' : 'error';
}

/** The status of the last attempt of such an exchange. A model whose answer was refused has still answered. */
export function attemptStatusOf(error: SluiceError): 'success' | 'server_error' | 'timeout' {
  if (error.code === 'upstream_timeout') return 'timeout';
  return error.code === 'upstream_unavailable' ? 'server_error' : 'success';
}
