import type { Answer, StreamEvent } from '../../core/answer.js';

/**
 * The events of a stream with the same content as a complete answer, so that the answer can be replayed as a stream.
 * `failure` is what ended it early.
 */
export function eventsOf(answer: Answer, failure?: string): StreamEvent[] {
  const events: StreamEvent[] = [
    { type: 'start', id: answer.id, model: answer.model, created: answer.created },
  ];
  for (const choice of answer.choices) {
    choice.parts.forEach((part, index) => {
      const at = { choice: choice.index, part: index };
      if (part.type === 'tool-call') {
        const channel = { kind: 'tool-arguments' as const, ...at };
        const { id: callId, name, freeform } = part;
        events.push({ type: 'tool-call-start', channel, callId, name, ...(freeform ? { freeform } : {}) });
        events.push({ type: 'delta', channel, text: part.arguments }, { type: 'part-end', channel });
      } else if (part.type === 'text' || part.type === 'reasoning' || part.type === 'refusal') {
        const channel = { kind: part.type, ...at };
        events.push({ type: 'delta', channel, text: part.text });
        if (part.type === 'reasoning' && part.signature !== undefined) {
          events.push({ type: 'signature', channel, signature: part.signature });
        }
        events.push({ type: 'part-end', channel });
      }
    });
    if (failure !== undefined) continue;
    events.push({
      type: 'finish',
      choice: choice.index,
      reason: choice.finishReason ?? 'stop',
      stopSequence: answer.stopSequence,
    });
  }
  const usage: StreamEvent[] = answer.usage === undefined ? [] : [{ type: 'usage', usage: answer.usage }];
  if (failure !== undefined) return [...events, { type: 'error', message: failure, value: null }];
  return [...events, ...usage, { type: 'end' }];
}
