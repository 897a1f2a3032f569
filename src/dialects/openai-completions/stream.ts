import { assertNever } from '../../core/assert-never.js';
import type { EncoderContext, StreamEncoder } from '../dialect.js';
import { ChunkWriter } from '../openai-chat/chunk-writer.js';
import { writeChoice } from './render.js';

/** Writes a stream anew where a guard changed it. */
export function createEncoder(context: EncoderContext): StreamEncoder {
  const chunks = new ChunkWriter('text_completion', context);
  return {
    encode(event) {
      switch (event.type) {
        case 'start':
          chunks.start(event);
          return [];
        case 'delta': {
          const { kind, choice } = event.channel;
          return kind === 'text' ? [chunks.chunk([writeChoice(choice, event.text, null)])] : [];
        }
        case 'finish':
          chunks.noteFinish();
          return [chunks.chunk([writeChoice(event.choice, '', event.reason)])];
        case 'usage':
          chunks.noteUsage(event);
          return [];
        case 'error':
          return chunks.fail(event);
        case 'end':
          return chunks.end();
        case 'tool-call-start':
        case 'signature':
        case 'part-end':
          return [];
        default:
          return assertNever(event);
      }
    },
    finish: () => chunks.finish(),
  };
}
