import { ERRORS, type SluiceError } from '../../core/errors.js';
import type { SseFrame } from '../dialect.js';

/*
 * An error answer has the shape of all of OpenAI's APIs. In a stream its fields are in the event itself, as the API
 * reference says, and in `error`, as the API does it and client libraries expect.
 */

export { readError, translateError, writeError } from '../openai-chat/errors.js';

export interface StreamErrorFields {
  message: string;
  type: string;
  code: string | null;
  param: string | null;
}

/** Where only an error is written, the number of the event is not known, so it is 0. */
export function writeStreamError(error: SluiceError, _logId?: string, sequenceNumber = 0): SseFrame[] {
  const { message, clientCode: code, param = null } = error;
  return [errorFrame({ message, type: ERRORS[error.code].openai, code, param }, sequenceNumber)];
}

export function errorFrame(error: StreamErrorFields, sequenceNumber: number): SseFrame {
  const { message, code, param } = error;
  const value = { type: 'error', sequence_number: sequenceNumber, code, message, param, error };
  return { event: 'error', data: JSON.stringify(value) };
}
