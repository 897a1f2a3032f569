import { ERRORS, type ErrorDetail, type SluiceError } from '../../core/errors.js';
import type { JsonValue } from '../../core/json.js';
import type { ProviderError, SseFrame } from '../dialect.js';
import { anthropicErrorType } from '../translate/error-types.js';
import { readAnyError } from '../translate/provider-error.js';
import { asObject, asString } from '../wire/values.js';

/* Anthropic's error shape has no member for a code, so the code stands at the start of the message. */

/** Tells the API's own clients that they must send the whole conversation with each request. */
const UNTHREADED = { error_code: 'thread_unsupported_request', unsupported: ['thread'] };

export function writeError(error: SluiceError, logId: string): string {
  const message = `${error.clientCode}: ${error.message}`;
  const details = error.param === 'thread' ? UNTHREADED : error.details;
  return errorBody(ERRORS[error.code].anthropic, message, logId, details);
}

export function writeStreamError(error: SluiceError, logId: string): SseFrame[] {
  return [{ event: 'error', data: writeError(error, logId) }];
}

export function readError(value: JsonValue): ProviderError | undefined {
  const body = asObject(value);
  const error = asObject(body?.error);
  const message = asString(error?.message);
  if (body?.type === 'message') return undefined;
  if (body?.type !== 'error' || message === undefined) return readAnyError(value);
  const type = asString(error?.type);
  return type === undefined ? { message } : { message, type };
}

export function translateError(error: ProviderError, status: number, logId: string): string {
  return errorBody(anthropicErrorType(error.type, status), error.message, logId);
}

export function errorBody(
  type: string,
  message: string,
  requestId: string,
  details?: ErrorDetail[] | typeof UNTHREADED,
): string {
  return JSON.stringify({ type: 'error', error: { type, message, details }, request_id: requestId });
}
