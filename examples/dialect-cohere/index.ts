import type { DialectId } from '../../src/core/dialect-ids.js';
import type { Dialect } from '../../src/dialects/dialect.js';
import { guardedRequests } from '../../src/dialects/texts/guarded-requests.js';
import { asObject, asString } from '../../src/dialects/wire/values.js';
import { adaptAnswer, readAnswer, writeAnswer } from './answer.js';
import { answer, frame, request } from './members.js';
import { adaptRequest, fromNeutral, guardedReadings, readRequest, readTools, toNeutral } from './request.js';
import { adaptFrame, createDecoder, createEncoder, errorFrame, replaceDeltas } from './stream.js';

/**
 * Cohere's Chat API, version 2. To serve it, move this folder to `src/dialects/cohere-chat/` and put the
 * dialect into the list of `src/dialects/index.ts`; its type is then `Dialect<'cohere.chat'>`, and the cast goes.
 */
export const cohereChat: Dialect = {
  id: 'cohere.chat' as DialectId,
  members: { request, answer, frame },
  conversation: { standing: [], turns: ['messages'], needed: ['model', 'tools'] },
  tokenProbabilities: ['logprobs'],
  readRequest,
  readTools,
  ...guardedRequests(guardedReadings),
  adaptRequest,
  toNeutral,
  fromNeutral,
  readAnswer,
  adaptAnswer,
  writeAnswer,
  growingText: ({ type, index }, path) =>
    path[0] === 'delta' ? JSON.stringify([type, index, path]) : undefined,
  createDecoder,
  createEncoder,
  adaptFrame,
  replaceDeltas,
  // An error is a message and the id of the request; the code stands at the message's start.
  writeError: (error, logId) =>
    JSON.stringify({ id: logId, message: `${error.clientCode}: ${error.message}` }),
  writeStreamError: (error) => [errorFrame(`${error.clientCode}: ${error.message}`)],
  readError(value) {
    const message = asString(asObject(value)?.message);
    return message === undefined ? undefined : { message };
  },
  translateError: (error, _status, logId) => JSON.stringify({ id: logId, message: error.message }),
};
