import type { ConversationId } from '../../../src/core/dialect-ids.js';
import type { JsonObject } from '../../../src/core/json.js';
import { type ChatServer, checkChat } from './chat.js';
import { checkGenerate } from './gemini.js';
import { checkMessages } from './messages.js';
import { checkResponses } from './responses.js';

/*
 * What providers refuse in a request, as their references and error messages say. A test fails where a translated
 * request would be refused by the real provider. Each rule has the words of its complaint.
 */

export interface Asked {
  dialect: ConversationId;
  body: JsonObject;
  /** The kind of server, for Chat Completions. */
  server?: ChatServer;
  /** The provider's name for the model. */
  model?: string;
}

/** What the provider would complain about; empty where it accepts the request. */
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
