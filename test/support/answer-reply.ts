import type { Answer } from '../../src/core/answer.js';
import { atOnce } from '../../src/core/pacing/steps.js';
import { dialectById } from '../../src/dialects/index.js';
import { formatFrame } from '../../src/dialects/wire/sse.js';
import { eventsOf } from '../../src/pipeline/answer/replayed-events.js';
import { dialectOfRequest, isStream } from './dialect-provider.js';
import { bytesReply, type Reply, streamReply } from './replies.js';

type Said = Pick<Answer['choices'][number], 'parts' | 'finishReason'>;

/** A reply with this content in the API of the request, as a complete answer or as a stream. */
export function answerReply({ parts, finishReason }: Said): Reply {
  return (response, request) => {
    const dialect = dialectById(dialectOfRequest(request));
    const answer: Answer = {
      id: 'answer-1',
      model: 'large',
      choices: [{ index: 0, parts, finishReason }],
      usage: { inputTokens: 19, outputTokens: 10 },
    };
    const context = { logId: 'x', streamUsage: true, created: 1, model: 'large' };
    const encoder = dialect.createEncoder(context);
    const reply = isStream(request)
      ? streamReply(eventsOf(answer).flatMap((event) => encoder.encode(event).map(formatFrame)))
      : bytesReply(atOnce(dialect.writeAnswer(answer, context)), {
          headers: { 'content-type': 'application/json' },
        });
    return reply(response, request);
  };
}
