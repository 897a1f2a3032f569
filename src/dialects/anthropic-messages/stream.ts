import type { ChannelKind } from '../../core/answer.js';
import { assertNever } from '../../core/assert-never.js';
import type { JsonObject } from '../../core/json.js';
import type { FinishReason, Usage } from '../../core/message.js';
import type { EncoderContext, SseFrame, StreamEncoder } from '../dialect.js';
import { jsonObjectText } from '../texts/fields.js';
import { anthropicErrorType, BROKEN_OFF } from '../translate/error-types.js';
import { REDACTED, signatureForClient } from '../translate/signature.js';
import { frameDocument } from '../wire/frame-document.js';
import { addLogId, namedFrame } from '../wire/frames.js';
import { createSequencer, type PartEvent } from '../wire/sequencer.js';
import { type Path, spliceValues, stringEdit } from '../wire/splice.js';
import { asObject } from '../wire/values.js';
import { textPlace } from './decode.js';
import { writeStreamError } from './errors.js';
import { writeStopReason, writeUsage } from './render.js';

// Encoding ---------------------------------------------------------------------------------------------

export function createEncoder(context: EncoderContext): StreamEncoder {
  const sequencer = createSequencer();
  let started = false;
  let ended = false;
  let index = -1;
  let usage: Usage | undefined;
  let finish: { reason: FinishReason; stopSequence?: string } | undefined;
  const seen = { refused: false, called: false };

  function start(id: string, model: string): SseFrame[] {
    if (started) return [];
    started = true;
    const message = {
      inference_log_id: context.logId,
      id,
      type: 'message',
      role: 'assistant',
      model: model === '' ? context.model : model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: writeUsage(usage),
    };
    return [namedFrame({ type: 'message_start', message })];
  }

  function encodePart(event: PartEvent): SseFrame[] {
    switch (event.type) {
      case 'open':
        index++;
        if (event.kind === 'refusal') seen.refused = true;
        if (event.kind === 'tool-arguments') seen.called = true;
        return [namedFrame({ type: 'content_block_start', index, content_block: emptyBlock(event) })];
      case 'text':
        return [namedFrame({ type: 'content_block_delta', index, delta: textDelta(event.kind, event.text) })];
      case 'signature': {
        const signature = signatureForClient(event.signature, 'anthropic.messages');
        if (signature.startsWith(REDACTED)) return [];
        return [
          namedFrame({ type: 'content_block_delta', index, delta: { type: 'signature_delta', signature } }),
        ];
      }
      case 'close':
        return [namedFrame({ type: 'content_block_stop', index })];
      default:
        return assertNever(event);
    }
  }

  function encodeEnd(): SseFrame[] {
    if (ended) return [];
    ended = true;
    const reason = finish?.reason ?? 'stop';
    const sequence = finish?.stopSequence;
    const delta = {
      stop_reason: writeStopReason(reason, { sequence: sequence !== undefined, ...seen }),
      stop_sequence: sequence ?? null,
    };
    return [
      ...start('', ''),
      ...sequencer.flush().flatMap(encodePart),
      namedFrame({ type: 'message_delta', delta, usage: writeUsage(usage) }),
      namedFrame({ type: 'message_stop' }),
    ];
  }

  return {
    encode(event) {
      switch (event.type) {
        case 'start':
          return start(event.id, event.model);
        case 'usage':
          usage = event.usage;
          return [];
        case 'finish':
          if (event.choice === 0) finish = event;
          return [];
        case 'error': {
          ended = true;
          const error = { type: anthropicErrorType(event.errorType, 500), message: event.message };
          return [namedFrame({ type: 'error', error, request_id: context.logId })];
        }
        case 'end':
          return encodeEnd();
        case 'delta':
        case 'tool-call-start':
        case 'signature':
        case 'part-end': {
          const parts = sequencer.take(event).flatMap(encodePart);
          return parts.length === 0 ? [] : [...start('', ''), ...parts];
        }
        default:
          return assertNever(event);
      }
    },
    finish() {
      if (finish !== undefined || ended) return encodeEnd();
      ended = true;
      return writeStreamError(BROKEN_OFF, context.logId);
    },
  };
}

function emptyBlock(part: Extract<PartEvent, { type: 'open' }>): JsonObject {
  switch (part.kind) {
    case 'text':
    case 'refusal':
      return { type: 'text', text: '' };
    case 'tool-arguments':
      return { type: 'tool_use', id: part.callId, name: part.name, input: {} };
    case 'reasoning': {
      const signature =
        part.signature === undefined ? '' : signatureForClient(part.signature, 'anthropic.messages');
      if (signature.startsWith(REDACTED)) {
        return { type: 'redacted_thinking', data: signature.slice(REDACTED.length) };
      }
      return { type: 'thinking', thinking: '', signature: '' };
    }
    default:
      return assertNever(part.kind);
  }
}

function textDelta(kind: ChannelKind, text: string): JsonObject {
  if (kind === 'reasoning') return { type: 'thinking_delta', thinking: text };
  if (kind === 'tool-arguments') return { type: 'input_json_delta', partial_json: text };
  return { type: 'text_delta', text };
}

// Passing on -------------------------------------------------------------------------------------------

/** Recognizes the one frame that gets the log id, without parsing the others. */
const MESSAGE_START = '"message_start"';

export function adaptFrame(
  frame: SseFrame,
  context: EncoderContext & { first: boolean },
): SseFrame | undefined {
  if (!frame.data.includes(MESSAGE_START)) return frame;
  const value = frameDocument(frame)?.value;
  if (value?.type !== 'message_start' || asObject(value.message) === undefined) return frame;
  const write = (message: string) => addLogId(message, context.logId);
  return { ...frame, data: spliceValues(frame.data, [{ path: ['message'], write }]) };
}

export function replaceDeltas(frame: SseFrame, texts: string[]): SseFrame {
  const value = frameDocument(frame)?.value;
  const place = value === undefined ? undefined : textPlace(value);
  const text = texts[0];
  if (place === undefined || text === undefined || text === place.text) return frame;
  const edit = place.json
    ? { path: place.path, write: () => jsonObjectText(text) }
    : stringEdit(place.path, text);
  return { ...frame, data: spliceValues(frame.data, [edit]) };
}

/** Deltas of one kind and one block are one text. */
export function growingText({ type, index }: JsonObject, path: Path): string | undefined {
  return path[0] === 'delta' ? JSON.stringify([type, index, path]) : undefined;
}
