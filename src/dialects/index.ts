import type { DialectId } from '../core/log-record.js';
import { anthropicMessages } from './anthropic-messages/index.js';
import type { Dialect } from './dialect.js';
import { geminiGenerate } from './gemini-generate/index.js';
import { openaiChat } from './openai-chat/index.js';
import { openaiCompletions } from './openai-completions/index.js';
import { openaiEmbeddings } from './openai-embeddings/index.js';
import { openaiModerations } from './openai-moderations/index.js';
import { openaiResponses } from './openai-responses/index.js';

/** The wire APIs of conversations, each of which can be said in each other, to clients and to providers. */
export const dialects: readonly Dialect[] = [openaiChat, openaiResponses, anthropicMessages, geminiGenerate];

/** The wire APIs that have no form in another: a provider has them, or it cannot answer. */
export const untranslatedDialects: readonly Dialect[] = [
  openaiCompletions,
  openaiEmbeddings,
  openaiModerations,
];

const ALL = [...dialects, ...untranslatedDialects];

export function dialectById(id: DialectId): Dialect {
  const found = ALL.find((dialect) => dialect.id === id);
  if (found === undefined) throw new Error(`No dialect is called ${id}.`);
  return found;
}
