import { ERRORS, type SluiceError } from '../../core/errors.js';
import { isJsonObject, type JsonValue } from '../../core/json.js';
import type { ProviderError, SseFrame } from '../dialect.js';
import { openaiErrorType } from '../translate/error-types.js';
import { readAnyError } from '../translate/provider-error.js';
import { asObject, asObjects } from '../wire/values.js';

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

/** The client library throws on this event; `[DONE]` must not follow. */
export function writeStreamError(error: SluiceError): SseFrame[] {
  return [{ data: writeError(error) }];
}

export function readError(value: JsonValue): ProviderError | undefined {
  const body = asObject(value);
  if (!Array.isArray(body?.choices)) return readAnyError(value);
  // In a model's answer only an `error` object counts, because the other members can be anything.
  const { error, choices } = body;
  const failed = asObjects(choices).find(
    (choice) => isError(choice.error) || choice.finish_reason === 'error',
  );
  if (failed === undefined && !isError(error)) return undefined;
  return readAnyError({ error: error ?? failed?.error ?? null }) ?? { message: ENDED_BY_ERROR };
}

function isError(error: JsonValue | undefined): boolean {
  return isJsonObject(error) || (typeof error === 'string' && error !== '');
}

/** The message where a server sends none. */
const ENDED_BY_ERROR = 'The model ended its answer with an error.';

/** Some servers report an error next to the choices of an answer with status 200. */
export function disguisedError(value: JsonValue): ProviderError | undefined {
  return Array.isArray(asObject(value)?.choices) ? readError(value) : undefined;
}

export function translateError(error: ProviderError, status: number): string {
  const type = openaiErrorType(error.type, status);
  return JSON.stringify({ error: { message: error.message, type, param: null, code: error.code ?? null } });
}
