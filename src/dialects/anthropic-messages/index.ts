import type { Dialect, TokenCounting } from '../dialect.js';
import { guardedRequests } from '../texts/guarded-requests.js';
import { namedFrame } from '../wire/frames.js';
import { formatFrame } from '../wire/sse.js';
import { counting } from './count-tokens.js';
import { createDecoder } from './decode.js';
import { readError, translateError, writeError, writeStreamError } from './errors.js';
import { fromNeutral } from './from-neutral.js';
import { answer, frame, request } from './members.js';
import { readTools } from './offered-tools.js';
import { guardedMessages, readAnswer, readRequest } from './parse.js';
import { adaptAnswer, adaptRequest, writeAnswer } from './render.js';
import { adaptFrame, createEncoder, growingText, replaceDeltas } from './stream.js';
import { toNeutral } from './to-neutral.js';

/** Anthropic's Messages API. */
export const anthropicMessages: Dialect<'anthropic.messages'> & { counting: TokenCounting } = {
  id: 'anthropic.messages',
  members: { request, answer, frame },
  conversation: { standing: ['system'], turns: ['messages'], needed: ['model', 'tools', 'max_tokens'] },
  endsForSure: true,
  tokenProbabilities: [],
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
  keepAlive: formatFrame(namedFrame({ type: 'ping' })),
  createDecoder,
  createEncoder,
  adaptFrame,
  replaceDeltas,
  writeError,
  writeStreamError,
  readError,
  translateError,
};
