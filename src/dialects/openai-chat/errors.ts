import { ERRORS, type SluiceError } from '../../core/errors.js';
import type { JsonValue } from '../../core/json.js';
import type { ProviderError, SseFrame } from '../dialect.js';
import { openaiErrorType } from '../translate/error-types.js';
import { asObject, asString } from '../wire/values.js';

/*
 * The error shape of OpenAI's APIs, which Responses shares: `{"error":{"message","type","param","code"}}`.
 */

export function writeError(error: SluiceError): string {
  return JSON.stringify({
    error: {
      message: error.message,
      type: ERRORS[error.code].openai,
      param: error.param ?? null,
      code: error.clientCode,
      ...(error.details === undefined ? {} : { details: error.details }),
    },
  });
}

/** The client's library throws on it; `[DONE]` must not follow. */
export function writeStreamError(error: SluiceError): SseFrame[] {
  return [{ data: writeError(error) }];
}

export function readError(value: JsonValue): ProviderError | undefined {
  const error = asObject(value)?.error;
  if (typeof error === 'string') return { message: error };
  const body = asObject(error);
  const message = asString(body?.message);
  if (body === undefined || message === undefined) return undefined;
  const read: ProviderError = { message };
  if (typeof body.type === 'string') read.type = body.type;
  if (typeof body.code === 'string' || body.code === null) read.code = body.code;
  else if (typeof body.code === 'number') read.code = String(body.code);
  return read;
}

export function translateError(error: ProviderError, status: number): string {
  const type = openaiErrorType(error.type, status);
  return JSON.stringify({ error: { message: error.message, type, param: null, code: error.code ?? null } });
}
