import type { JsonObject } from '../../src/core/json.js';
import { answerReply } from './answer-reply.js';
import type { Reply } from './replies.js';

interface Named {
  name?: string;
  function?: { name: string };
}

/** A model that answers with a call with these arguments: of the tool that the request forces, else of the first tool. */
export function callsTool(output: JsonObject): Reply {
  return (response, request) => {
    const body = request.json();
    const [tool] = body.tools as Named[];
    const choice = body.tool_choice as Named;
    const name = choice.name ?? choice.function?.name ?? tool!.name ?? tool!.function!.name;
    const call = { type: 'tool-call' as const, id: 'call_1', name, arguments: JSON.stringify(output) };
    return answerReply({ parts: [call], finishReason: 'tool-calls' })(response, request);
  };
}
