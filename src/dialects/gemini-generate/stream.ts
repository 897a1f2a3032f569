import type { Channel, StreamEvent } from '../../core/answer.js';
import { assertNever } from '../../core/assert-never.js';
import type { JsonObject } from '../../core/json.js';
import type { FinishReason, Usage } from '../../core/message.js';
import { atOnce } from '../../core/pacing/steps.js';
import type { EncoderContext, SseFrame, StreamEncoder } from '../dialect.js';
import { jsonObjectOf, jsonObjectText } from '../texts/fields.js';
import { BROKEN_OFF } from '../translate/error-types.js';
import { frameDocument } from '../wire/frame-document.js';
import { addLogId } from '../wire/frames.js';
import { spliceValues } from '../wire/splice.js';
import { withoutUndefined } from '../wire/values.js';
import { chunkTexts } from './decode.js';
import { translateError, writeStreamError } from './errors.js';
import { shownProof, writeCall, writeFinishReason, writeTail, writeUsage } from './render.js';

// Encoding ---------------------------------------------------------------------------------------------

interface OpenCall {
  choice: number;
  id: string;
  name: string;
  arguments: string;
}

/** A call is written at once when it is complete. All choices finish in the last chunk, together with the usage. */
export function createEncoder(context: EncoderContext): StreamEncoder {
  let head: { id: string; model: string; created?: number } = { id: '', model: '' };
  const calls = new Map<string, OpenCall>();
  /** Proofs that came without a text, by choice. They are added to the next part. */
  const proofs = new Map<number, JsonObject>();
  const thinking = new Set<string>();
  const finished = new Map<number, FinishReason>();
  const refused = new Set<number>();
  let usage: Usage | undefined;
  let first = true;
  let ended = false;

  function chunk(candidates: JsonObject[], more: JsonObject = {}): SseFrame {
    const tail = writeTail(head, context.model);
    const value: JsonObject = first
      ? { inference_log_id: context.logId, candidates, ...more, ...tail }
      : { candidates, ...more, ...tail };
    first = false;
    return { data: JSON.stringify(value) };
  }

  function part(choice: number, value: JsonObject): SseFrame[] {
    const proof = proofs.get(choice);
    proofs.delete(choice);
    return [chunk([{ content: { parts: [{ ...value, ...proof }], role: 'model' }, index: choice }])];
  }

  function closeCall(key: string): SseFrame[] {
    const call = calls.get(key);
    if (call === undefined) return [];
    calls.delete(key);
    return part(call.choice, writeCall(call, atOnce(jsonObjectOf(call.arguments))));
  }

  function encodeDelta(channel: Channel, text: string): SseFrame[] {
    const key = keyOf(channel);
    switch (channel.kind) {
      case 'tool-arguments': {
        const call = calls.get(key);
        if (call !== undefined) call.arguments += text;
        return [];
      }
      case 'reasoning':
        thinking.add(key);
        return part(channel.choice, { text, thought: true });
      case 'refusal':
        refused.add(channel.choice);
        return part(channel.choice, { text });
      case 'text':
        return part(channel.choice, { text });
      default:
        return assertNever(channel.kind);
    }
  }

  function encodeSignature(event: Extract<StreamEvent, { type: 'signature' }>): SseFrame[] {
    const { choice } = event.channel;
    const proof = shownProof(event.signature);
    if (thinking.has(keyOf(event.channel))) return part(choice, { text: '', thought: true, ...proof });
    proofs.set(choice, proof);
    return [];
  }

  function encodeEnd(): SseFrame[] {
    if (ended) return [];
    ended = true;
    const open = [...calls.keys()].flatMap(closeCall);
    if (finished.size === 0) finished.set(0, 'stop');
    const candidates = [...finished].map(([index, reason]) => ({
      content: { parts: [{ text: '', ...proofs.get(index) }], role: 'model' },
      finishReason: writeFinishReason(reason, refused.has(index)),
      index,
    }));
    return [...open, chunk(candidates, withoutUndefined({ usageMetadata: writeUsage(usage) }))];
  }

  return {
    encode(event) {
      switch (event.type) {
        case 'start':
          head = event;
          return [];
        case 'delta':
          return event.text === '' ? [] : encodeDelta(event.channel, event.text);
        case 'tool-call-start': {
          const { channel, callId, name } = event;
          calls.set(keyOf(channel), { choice: channel.choice, id: callId, name, arguments: '' });
          return [];
        }
        case 'signature':
          return encodeSignature(event);
        case 'part-end':
          return closeCall(keyOf(event.channel));
        case 'finish':
          finished.set(event.choice, event.reason);
          return [];
        case 'usage':
          usage = event.usage;
          return [];
        case 'error':
          ended = true;
          return [{ data: translateError(errorOf(event), 500, context.logId) }];
        case 'end':
          return encodeEnd();
        default:
          return assertNever(event);
      }
    },
    finish() {
      if (finished.size > 0 || ended) return encodeEnd();
      ended = true;
      return writeStreamError(BROKEN_OFF, context.logId);
    },
  };
}

function keyOf(channel: Channel): string {
  return `${channel.choice}/${channel.kind}/${channel.part}`;
}

function errorOf(event: Extract<StreamEvent, { type: 'error' }>): { message: string; type?: string } {
  return event.errorType === undefined
    ? { message: event.message }
    : { message: event.message, type: event.errorType };
}

// Passing on -------------------------------------------------------------------------------------------

export function adaptFrame(
  frame: SseFrame,
  context: EncoderContext & { first: boolean },
): SseFrame | undefined {
  if (!context.first) return frame;
  const chunk = frameDocument(frame);
  if (chunk === undefined || chunk.value.error !== undefined) return frame;
  return { ...frame, data: addLogId(chunk.text, context.logId) };
}

export function replaceDeltas(frame: SseFrame, texts: string[]): SseFrame {
  const chunk = frameDocument(frame);
  if (chunk === undefined) return frame;
  const edits = chunkTexts(chunk.value).flatMap((found, index) => {
    const text = texts[index];
    if (text === undefined || text === found.text) return [];
    const written = found.json ? jsonObjectText(text) : JSON.stringify(text);
    return [{ path: found.path, write: () => written }];
  });
  return edits.length === 0 ? frame : { ...frame, data: spliceValues(frame.data, edits) };
}

/** In this API, every text that grows has an event. */
export function growingText(): undefined {
  return undefined;
}
