import type { Message } from '../../core/message.js';
import { runSteps } from '../../core/pacing/steps.js';
import type { Exchange } from './exchange.js';

/** The messages of the forwarded request, after the request plugins. They are read once for each exchange. */
export async function requestMessages(exchange: Exchange): Promise<Message[]> {
  const known = exchange.guarded?.messages ?? exchange.messages;
  if (known !== undefined) return known;
  const messages = await runSteps(exchange.dialect.readMessages(exchange.document!));
  exchange.messages = messages;
  return messages;
}
