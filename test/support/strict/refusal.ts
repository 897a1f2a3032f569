import type { ConversationId } from '../../../src/core/dialect-ids.js';
import type { ReceivedRequest } from '../received-request.js';
import { jsonReply, type Reply } from '../replies.js';
import type { ChatServer } from './chat.js';
import { complaints } from './complaints.js';

/** The paths of calls that ask for an answer. Calls that count tokens or ask for vectors have others. */
const ANSWERED = /(\/(chat\/completions|responses|messages)|:(stream)?generateContent)$/i;

/** The error of a provider that is as strict as the real one; undefined where it accepts the request. */
export function refusalOf(
  dialect: ConversationId,
  request: ReceivedRequest,
  server: ChatServer = 'openai',
): Reply | undefined {
  const path = request.path.split('?', 1)[0]!;
  if (!ANSWERED.test(path)) return undefined;
  const model = /\/models\/([^:/]+):/.exec(path)?.[1] ?? '';
  const found = complaints({ dialect, body: request.json(), server, model: decodeURIComponent(model) });
  if (found.length === 0) return undefined;
  const error = {
    message: `A strict provider refuses this: ${found.join('; ')}`,
    type: 'invalid_request_error',
  };
  return jsonReply({ type: 'error', error }, { status: 400 });
}
