import type { DialectId } from '../core/log-record.js';
import { anthropicMessages } from './anthropic-messages/index.js';
import type { Dialect } from './dialect.js';
import { geminiGenerate } from './gemini-generate/index.js';
import { openaiChat } from './openai-chat/index.js';
import { openaiResponses } from './openai-responses/index.js';

/** Every wire API that the gateway speaks, to clients and to providers. */
export const dialects: readonly Dialect[] = [openaiChat, openaiResponses, anthropicMessages, geminiGenerate];

export function dialectById(id: DialectId): Dialect {
  const found = dialects.find((dialect) => dialect.id === id);
  if (found === undefined) throw new Error(`No dialect is called ${id}.`);
  return found;
}
