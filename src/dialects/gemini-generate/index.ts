import type { Dialect } from '../dialect.js';
import { readError, translateError, writeError, writeStreamError } from './errors.js';
import { fromNeutral } from './from-neutral.js';
import { answer } from './members.js';
import { readTools } from './offered-tools.js';
import { readAnswer, readMessages, readRequest } from './parse.js';
import { adaptAnswer, adaptRequest, writeAnswer, writeMessages } from './render.js';
import { adaptFrame, createDecoder, createEncoder, replaceDeltas } from './stream.js';
import { toNeutral } from './to-neutral.js';

/** Google's Gemini API: `generateContent` and `streamGenerateContent`. */
export const geminiGenerate: Dialect = {
  id: 'gemini.generate',
  conversationKeys: ['systemInstruction', 'system_instruction', 'contents', 'tools'],
  readRequest,
  readTools,
  readMessages,
  writeMessages,
  adaptRequest,
  toNeutral,
  fromNeutral,
  readAnswer,
  adaptAnswer,
  writeAnswer,
  frame: answer,
  createDecoder,
  createEncoder,
  adaptFrame,
  replaceDeltas,
  writeError,
  writeStreamError,
  readError,
  translateError,
};
