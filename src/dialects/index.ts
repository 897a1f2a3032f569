import { anthropicMessages } from './anthropic-messages/index.js';
import type { Dialect } from './dialect.js';
import { geminiGenerate } from './gemini-generate/index.js';
import { openaiChat } from './openai-chat/index.js';
import { openaiCompletions } from './openai-completions/index.js';
import { openaiEmbeddings } from './openai-embeddings/index.js';
import { openaiModerations } from './openai-moderations/index.js';
import { openaiResponses } from './openai-responses/index.js';

/* The one list of dialects: the types of ids, schemas and tests are made of it. */

const conversations = [openaiChat, openaiResponses, anthropicMessages, geminiGenerate] as const;
const others = [openaiCompletions, openaiEmbeddings, openaiModerations] as const;

export type ConversationId = (typeof conversations)[number]['id'];
export type DialectId = ConversationId | (typeof others)[number]['id'];

/** The wire APIs of conversations, each of which can be said in each other, to clients and to providers. */
export const dialects: readonly Dialect[] = conversations;

/** The wire APIs that have no form in another: a provider has them, or it cannot answer. */
const untranslatedDialects: readonly Dialect[] = others;

const ALL = [...dialects, ...untranslatedDialects];

export const DIALECT_IDS: readonly DialectId[] = ALL.map(({ id }) => id);

export function dialectById(id: DialectId): Dialect {
  const found = ALL.find((dialect) => dialect.id === id);
  if (found === undefined) throw new Error(`No dialect is called ${id}.`);
  return found;
}
