import { HELP_HEADER, helpAnchor, SluiceError, toSluiceError } from '../../core/errors.js';
import type { JsonValue } from '../../core/json.js';
import { dialectOfPath } from '../../dialects/calls.js';
import type { Dialect } from '../../dialects/dialect.js';
import type { Headers, Reply } from './http.js';

/** About how long the bodies of other requests stay in memory, in seconds. */
const RETRY_AFTER_SECONDS = '1';

/** Statuses for which a retry is useless, so the SDKs are told not to try again. */
const FINAL_STATUSES = new Set([400, 422]);

/** The headers that SDKs show as the id of a request, where the provider sent none. */
export function requestIds(logId: string, given: Headers = {}): Record<string, string> {
  const missing = ['x-request-id', 'request-id'].filter((name) => given[name] === undefined);
  return Object.fromEntries(missing.map((name) => [name, logId]));
}

export function jsonReply(status: number, body: string, logId: string): Reply {
  const headers = { 'content-type': 'application/json', 'x-inference-log-id': logId, ...requestIds(logId) };
  return { status, headers, body };
}

/** The reply for any error, in the shape of the API that was called. */
export function errorReply(dialect: Dialect, error: unknown, logId: string): Reply {
  const sluiceError = toSluiceError(error);
  const reply = jsonReply(sluiceError.status, dialect.writeError(sluiceError, logId), logId);
  Object.assign(reply.headers, errorHeaders(sluiceError));
  return reply;
}

/** The error for a request that Envoy itself refuses. `why` is Envoy's reason. */
export function refusal(status: number, why = 'unknown'): SluiceError {
  if (status === 413) return new SluiceError('request_too_large', 'The body is larger than Envoy accepts.');
  return new SluiceError('invalid_request', `The request cannot be served: ${why}.`, { status });
}

/** The reply to such a request where not even its API is known. */
export function refusedReply(status: number, why: string | undefined, logId: string): Reply {
  return errorReply(dialectOfPath(''), refusal(status, why), logId);
}

/** The reply to any request while the deployment is misconfigured. */
export function brokenReply(path: string, message: string, logId: string): Reply {
  return errorReply(dialectOfPath(path), new SluiceError('internal_error', message), logId);
}

/** The reply to a request that asks for a WebSocket. */
export function upgradeReply(logId: string): Reply {
  const message = 'WebSockets are not served here. Send the request by HTTP.';
  return errorReply(dialectOfPath(''), new SluiceError('invalid_request', message, { status: 426 }), logId);
}

function errorHeaders(error: SluiceError): Record<string, string> {
  const help = { [HELP_HEADER]: helpAnchor(error) };
  if (error.retryAfterSeconds !== undefined)
    return { ...help, 'retry-after': String(error.retryAfterSeconds) };
  if (error.code === 'overloaded') return { ...help, 'retry-after': RETRY_AFTER_SECONDS };
  return FINAL_STATUSES.has(error.status) ? { ...help, 'x-should-retry': 'false' } : help;
}

/** The body of an error as the client gets it, but with the message that a log may contain. */
export function loggedBody(reply: Reply, { message, logMessage }: SluiceError): JsonValue {
  if (message === logMessage) return JSON.parse(reply.body) as JsonValue;
  const withoutText = (_key: string, value: JsonValue) =>
    typeof value === 'string' ? value.replace(message, () => logMessage) : value;
  return JSON.parse(reply.body, withoutText) as JsonValue;
}
