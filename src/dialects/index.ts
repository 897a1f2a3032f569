import { CONVERSATION_IDS, type DialectId, UNTRANSLATED_IDS } from '../core/dialect-ids.js';
import { anthropicMessages } from './anthropic-messages/index.js';
import type { Dialect } from './dialect.js';
import { geminiGenerate } from './gemini-generate/index.js';
import { openaiChat } from './openai-chat/index.js';
import { openaiCompletions } from './openai-completions/index.js';
import { openaiEmbeddings } from './openai-embeddings/index.js';
import { openaiModerations } from './openai-moderations/index.js';
import { openaiResponses } from './openai-responses/index.js';

/** The only list of dialects, by id. */
const DIALECTS: { readonly [Id in DialectId]: Dialect<Id> } = {
  'openai.chat': openaiChat,
  'openai.responses': openaiResponses,
  'anthropic.messages': anthropicMessages,
  'gemini.generate': geminiGenerate,
  'openai.completions': openaiCompletions,
  'openai.embeddings': openaiEmbeddings,
  'openai.moderations': openaiModerations,
};

/** The APIs of conversations, for clients and for providers. */
export const dialects: readonly Dialect[] = CONVERSATION_IDS.map((id) => DIALECTS[id]);

/** All dialects. Those that cannot be translated come last. */
const allDialects: readonly Dialect[] = [...dialects, ...UNTRANSLATED_IDS.map((id) => DIALECTS[id])];

/** Throws for an unknown id, such as that of a log of another version. */
export function dialectById(id: DialectId): Dialect {
  const found = allDialects.find((dialect) => dialect.id === id);
  if (found === undefined) throw new Error(`There is no dialect with the id ${id}.`);
  return found;
}
