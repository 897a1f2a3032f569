import type { Dialect } from '../dialect.js';
import * as errors from '../openai-chat/errors.js';
import { adaptInputs, textInputs } from '../texts/text-inputs.js';
import { NO_FRAMES, WITHOUT_STREAMS, WITHOUT_TRANSLATION } from '../translate/untranslated.js';
import { answer, request } from './members.js';
import { readAnswer, readRequest } from './parse.js';
import { adaptAnswer, writeAnswer } from './render.js';
import { openAnswer } from './vectors.js';

/** OpenAI's Embeddings, which many servers of open models have too. */
export const openaiEmbeddings: Dialect<'openai.embeddings'> = {
  ...WITHOUT_TRANSLATION,
  ...WITHOUT_STREAMS,
  id: 'openai.embeddings',
  members: { request, answer, frame: NO_FRAMES },
  answers: 'vectors',
  readRequest,
  ...textInputs('input', request),
  adaptRequest: adaptInputs,
  openAnswer,
  readAnswer,
  adaptAnswer,
  writeAnswer,
  ...errors,
};
