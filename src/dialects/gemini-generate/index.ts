import type { Dialect, TokenCounting } from '../dialect.js';
import { guardedRequests } from '../texts/guarded-requests.js';
import { counting } from './count-tokens.js';
import { createDecoder } from './decode.js';
import { readError, translateError, writeError, writeStreamError } from './errors.js';
import { fromNeutral } from './from-neutral.js';
import { answer, request } from './members.js';
import { readTools } from './offered-tools.js';
import { guardedMessages, readAnswer, readRequest } from './parse.js';
import { adaptAnswer, adaptRequest, writeAnswer } from './render.js';
import { adaptFrame, createEncoder, growingText, replaceDeltas } from './stream.js';
import { toNeutral } from './to-neutral.js';

/** Google's Gemini API: `generateContent` and `streamGenerateContent`. */
export const geminiGenerate: Dialect<'gemini.generate'> & { counting: TokenCounting } = {
  id: 'gemini.generate',
  members: { request, answer, frame: answer },
  conversation: {
    standing: ['systemInstruction', 'system_instruction'],
    turns: ['contents'],
    needed: ['tools'],
  },
  tokenProbabilities: ['logprobsResult'],
  counting,
  readRequest,
  readTools,
  ...guardedRequests(guardedMessages),
  adaptRequest,
  toNeutral,
  fromNeutral,
  readAnswer,
  adaptAnswer,
  writeAnswer,
  growingText,
  createDecoder,
  createEncoder,
  adaptFrame,
  replaceDeltas,
  writeError,
  writeStreamError,
  readError,
  translateError,
};
