import type { ErrorDetail, SluiceError } from '../../core/errors.js';
import type { JsonObject, JsonValue } from '../../core/json.js';
import type { ProviderError, SseFrame } from '../dialect.js';
import { readAnyError } from '../translate/provider-error.js';
import { asArray, asNumber, asObject, asObjects, asString } from '../wire/values.js';
import { memberOf } from './names.js';

/*
 * Google's error shape (google.rpc.Status in JSON): `{"error":{"code","message","status","details"}}`. It has no field
 * for a code of ours, so the code is the reason of an ErrorInfo.
 */

const STATUSES: Record<number, string> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  409: 'ABORTED',
  422: 'FAILED_PRECONDITION',
  429: 'RESOURCE_EXHAUSTED',
  499: 'CANCELLED',
  501: 'UNIMPLEMENTED',
  502: 'UNAVAILABLE',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
  529: 'UNAVAILABLE',
};

function statusName(status: number): string {
  return STATUSES[status] ?? (status < 500 ? 'INVALID_ARGUMENT' : 'INTERNAL');
}

export function writeError(error: SluiceError, logId: string): string {
  return errorBody(error.status, error.message, error.clientCode, logId, error.details);
}

export function writeStreamError(error: SluiceError, logId: string): SseFrame[] {
  return [{ data: writeError(error, logId) }];
}

function errorBody(
  status: number,
  message: string,
  reason: string,
  logId: string,
  details: readonly ErrorDetail[] = [],
): string {
  const output = details.find((detail) => detail.output !== undefined)?.output;
  const info: JsonObject = {
    '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
    reason,
    domain: 'sluice',
    metadata: { inference_log_id: logId, ...(output === undefined ? {} : { output }) },
  };
  return JSON.stringify({
    error: { code: status, message, status: statusName(status), details: [info, ...violations(details)] },
  });
}

/** The places of mistakes in the form of Google's errors. */
function violations(details: readonly ErrorDetail[]): JsonObject[] {
  if (details.length === 0) return [];
  const fieldViolations = details.map(({ path, message }) => ({ field: path, description: message }));
  return [{ '@type': 'type.googleapis.com/google.rpc.BadRequest', fieldViolations }];
}

/** Finish reasons with which a model stops without a usable answer. */
const FAILURES = new Set([
  'MALFORMED_FUNCTION_CALL',
  'UNEXPECTED_TOOL_CALL',
  'TOO_MANY_TOOL_CALLS',
  'MISSING_THOUGHT_SIGNATURE',
  'MALFORMED_RESPONSE',
]);

/** The failure in an answer or in a chunk of one, from its finish reason. */
export function failureOf(value: JsonValue): ProviderError | undefined {
  for (const candidate of asObjects(asObject(value)?.candidates)) {
    const reason = asString(memberOf(candidate, 'finishReason'));
    if (reason === undefined || !FAILURES.has(reason)) continue;
    const words = asString(memberOf(candidate, 'finishMessage')) ?? 'The model stopped for this reason.';
    return { message: `${reason}: ${words}`, type: 'INTERNAL', code: reason };
  }
  return undefined;
}

export function readError(value: JsonValue): ProviderError | undefined {
  const failed = failureOf(value);
  if (failed !== undefined) return failed;
  // The error is in a list where a stream was requested without SSE.
  const error = asObject(asObject(Array.isArray(value) ? value[0] : value)?.error);
  const message = asString(error?.message);
  if (error === undefined || message === undefined) {
    return Array.isArray(asObject(value)?.candidates) ? undefined : readAnyError(value);
  }
  const read: ProviderError = { message };
  const type = asString(error.status);
  const reason = asArray(error.details)
    .map((detail) => asString(asObject(detail)?.reason))
    .find(Boolean);
  const code = reason ?? asNumber(error.code)?.toString();
  if (type !== undefined) read.type = type;
  if (code !== undefined) read.code = code;
  return read;
}

export function translateError(error: ProviderError, status: number, logId: string): string {
  return errorBody(status, error.message, error.code ?? error.type ?? 'provider_error', logId);
}
