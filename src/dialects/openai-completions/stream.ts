import { assertNever } from '../../core/assert-never.js';
import type { JsonObject } from '../../core/json.js';
import type { Usage } from '../../core/message.js';
import type { EncoderContext, SseFrame, StreamEncoder } from '../dialect.js';
import { BROKEN_OFF } from '../helpers/error-types.js';
import { DONE } from '../openai-chat/decode.js';
import { writeStreamError } from '../openai-chat/errors.js';
import { writeUsage } from '../openai-chat/render.js';
import { writeChoice } from './render.js';

/** Writes a stream anew where a guard changed it. */
export function createEncoder(context: EncoderContext): StreamEncoder {
  let head: JsonObject = {
    id: '',
    object: 'text_completion',
    created: context.created,
    model: context.model,
  };
  let first = true;
  let finished = false;
  let ended = false;
  let usage: Usage | undefined;

  function chunk(choices: JsonObject[], more: JsonObject = {}): SseFrame {
    const ours: JsonObject = first ? { inference_log_id: context.logId } : {};
    first = false;
    return { data: JSON.stringify({ ...ours, ...head, choices, ...more }) };
  }

  function end(): SseFrame[] {
    if (ended) return [];
    ended = true;
    const told = context.streamUsage && usage !== undefined ? [chunk([], { usage: writeUsage(usage) })] : [];
    return [...told, { data: DONE }];
  }

  function fail(frames: SseFrame[]): SseFrame[] {
    ended = true;
    return frames;
  }

  return {
    encode(event) {
      switch (event.type) {
        case 'start':
          head = { ...head, id: event.id, created: event.created ?? context.created };
          if (event.model !== '') head.model = event.model;
          return [];
        case 'delta':
          return event.channel.kind === 'text'
            ? [chunk([writeChoice(event.channel.choice, event.text, null)])]
            : [];
        case 'finish':
          finished = true;
          return [chunk([writeChoice(event.choice, '', event.reason)])];
        case 'usage':
          usage = event.usage;
          return [];
        case 'error':
          return fail([
            { data: JSON.stringify({ error: { message: event.message, type: 'server_error' } }) },
          ]);
        case 'end':
          return end();
        case 'tool-call-start':
        case 'signature':
        case 'part-end':
          return [];
        default:
          return assertNever(event);
      }
    },
    finish: () => (finished || ended ? end() : fail(writeStreamError(BROKEN_OFF))),
  };
}
