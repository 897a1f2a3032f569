import type { Answer } from '../../src/core/answer.js';
import type { JsonObject } from '../../src/core/json.js';
import { dialectById } from '../../src/dialects/index.js';
import { formatFrame } from '../../src/dialects/wire/sse.js';
import { eventsOf } from '../../src/pipeline/answer/answer-text.js';
import { dialectOfRequest } from './dialect-provider.js';
import { bytesReply, type Reply, streamReply } from './replies.js';

interface Named {
  name?: string;
  function?: { name: string };
}

/** A model that calls the tool that it must call, or the first one where it may choose, with these arguments. */
export function callsTool(output: JsonObject): Reply {
  return (response, request) => {
    const dialect = dialectById(dialectOfRequest(request));
    const body = request.json();
    const [tool] = body.tools as Named[];
    const choice = body.tool_choice as Named;
    const name = choice.name ?? choice.function?.name ?? tool!.name ?? tool!.function!.name;
    const answer: Answer = {
      id: 'answer-1',
      model: 'large',
      choices: [
        {
          index: 0,
          parts: [{ type: 'tool-call', id: 'call_1', name, arguments: JSON.stringify(output) }],
          finishReason: 'tool-calls',
        },
      ],
      usage: { inputTokens: 19, outputTokens: 10 },
    };
    const context = { logId: 'x', streamUsage: true, created: 1, model: 'large' };
    const encoder = dialect.createEncoder(context);
    const reply = body.stream
      ? streamReply(eventsOf(answer).flatMap((event) => encoder.encode(event).map(formatFrame)))
      : bytesReply(dialect.writeAnswer(answer, context), { headers: { 'content-type': 'application/json' } });
    return reply(response, request);
  };
}
