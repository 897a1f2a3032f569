import type { ConversationId } from '../../../src/core/dialect-ids.js';
import type { JsonObject } from '../../../src/core/json.js';
import { type ChatServer, checkChat } from './chat.js';
import { checkGenerate } from './gemini.js';
import { checkMessages } from './messages.js';
import { checkResponses } from './responses.js';

/*
 * What the APIs of providers refuse in a request, as their references and their errors say. A request that was
 * translated, and that a provider would refuse, fails the test. Each rule gives the words of its complaint.
 */

export interface Asked {
  dialect: ConversationId;
  body: JsonObject;
  /** Of Chat Completions. */
  server?: ChatServer;
  /** The provider's name of the model. */
  model?: string;
}

/** What the provider would complain of; empty for a request that it takes. */
export function complaints({ dialect, body, server = 'openai', model = '' }: Asked): string[] {
  const found: string[] = [];
  const say = (ok: boolean, complaint: string) => {
    if (!ok) found.push(complaint);
  };
  switch (dialect) {
    case 'openai.chat':
      checkChat(body, server, say);
      break;
    case 'openai.responses':
      checkResponses(body, say);
      break;
    case 'anthropic.messages':
      checkMessages(body, say);
      break;
    case 'gemini.generate':
      checkGenerate(body, model, say);
      break;
    default:
      throw new Error(`nothing is known of ${dialect}`);
  }
  return found;
}
