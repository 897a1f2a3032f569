import type { Dialect } from '../dialect.js';
import { createDecoder } from '../openai-chat/decode.js';
import * as errors from '../openai-chat/errors.js';
import { answer } from '../openai-chat/members.js';
import { readAnswer, readParts } from '../openai-chat/parse.js';
import { adaptAnswer } from '../openai-chat/render.js';
import { adaptFrame, replaceDeltas } from '../openai-chat/stream.js';
import { textInputs } from '../texts/text-inputs.js';
import { WITHOUT_TRANSLATION } from '../translate/untranslated.js';
import { COMMENT } from '../wire/frames.js';
import { request } from './members.js';
import { readRequest } from './parse.js';
import { adaptRequest, writeAnswer } from './render.js';
import { createEncoder } from './stream.js';

/** OpenAI's older text completions. Their answers are those of Chat Completions with a text in place of a message. */
export const openaiCompletions: Dialect<'openai.completions'> = {
  ...WITHOUT_TRANSLATION,
  id: 'openai.completions',
  members: { request, answer, frame: answer },
  endsForSure: true,
  tokenProbabilities: ['logprobs'],
  growingText: () => undefined,
  readRequest,
  ...textInputs('prompt', request),
  adaptRequest,
  readAnswer,
  readParts,
  adaptAnswer,
  writeAnswer,
  keepAlive: COMMENT,
  createDecoder,
  createEncoder,
  adaptFrame,
  replaceDeltas,
  ...errors,
};
