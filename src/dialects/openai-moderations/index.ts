import type { Dialect } from '../dialect.js';
import * as errors from '../openai-chat/errors.js';
import { adaptInputs, textInputs } from '../texts/text-inputs.js';
import { NO_FRAMES, WITHOUT_STREAMS, WITHOUT_TRANSLATION } from '../translate/untranslated.js';
import { answer, request } from './members.js';
import { readAnswer, readRequest } from './parse.js';
import { adaptAnswer, writeAnswer } from './render.js';

/** OpenAI's Moderations. */
export const openaiModerations: Dialect<'openai.moderations'> = {
  ...WITHOUT_TRANSLATION,
  ...WITHOUT_STREAMS,
  id: 'openai.moderations',
  members: { request, answer, frame: NO_FRAMES },
  answers: 'verdicts',
  readRequest,
  ...textInputs('input', request),
  adaptRequest: adaptInputs,
  readAnswer,
  adaptAnswer,
  writeAnswer,
  ...errors,
};
