import type { Channel } from '../../core/answer.js';
import { assertNever } from '../../core/assert-never.js';
import { editMembers, isJsonObject, type JsonObject, type JsonValue } from '../../core/json.js';
import type { EncoderContext, SseFrame, StreamEncoder } from '../dialect.js';
import { jsonObjectText } from '../texts/fields.js';
import { frameDocument } from '../wire/frame-document.js';
import { addLogId } from '../wire/frames.js';
import { type Path, spliceValues, stringEdit } from '../wire/splice.js';
import { asArray, asObject } from '../wire/values.js';
import { ChunkWriter } from './chunk-writer.js';
import { callDeltas, textDeltas } from './decode.js';
import { readError, translateError } from './errors.js';
import { reasoningDetail, writeFinishReason } from './render.js';
import { customNames, writeToolCall } from './tools.js';

interface CustomCall {
  choice: number;
  index: number;
  id: string;
  name: string;
  arguments: string;
  freeform?: true;
}

// Encoding ---------------------------------------------------------------------------------------------

export function createEncoder(context: EncoderContext): StreamEncoder {
  const chunks = new ChunkWriter('chat.completion.chunk', context);
  const opened = new Set<number>();
  /** The reasoning so far, by channel. Its signature is sent together with it. */
  const thoughts = new Map<string, string>();
  const refused = new Set<number>();
  /** Position of each tool call within its choice, by channel. */
  const calls = new Map<string, number>();
  const callCounts = new Map<number, number>();
  const custom = customNames(context.request);
  /** Calls of tools that take any text. They are sent at the end of their choice. */
  const customCalls = new Map<string, CustomCall>();

  function change(choice: number, delta: JsonObject, finishReason: string | null = null): SseFrame[] {
    return [...open(choice), writeDelta(choice, delta, finishReason)];
  }

  function open(choice: number): SseFrame[] {
    if (opened.has(choice)) return [];
    opened.add(choice);
    return [writeDelta(choice, { role: 'assistant', content: '', refusal: null }, null)];
  }

  function writeDelta(index: number, delta: JsonObject, finish_reason: string | null): SseFrame {
    return chunks.chunk([{ index, delta, logprobs: null, finish_reason }]);
  }

  function callIndex(channel: Channel): number {
    const key = `${channel.choice}/${channel.part}`;
    const known = calls.get(key);
    if (known !== undefined) return known;
    const index = callCounts.get(channel.choice) ?? 0;
    callCounts.set(channel.choice, index + 1);
    calls.set(key, index);
    return index;
  }

  function encodeDelta(channel: Channel, text: string): SseFrame[] {
    switch (channel.kind) {
      case 'text':
        return change(channel.choice, { content: text });
      case 'reasoning': {
        const key = `${channel.choice}/${channel.part}`;
        thoughts.set(key, (thoughts.get(key) ?? '') + text);
        return change(channel.choice, { reasoning_content: text });
      }
      case 'refusal':
        refused.add(channel.choice);
        return change(channel.choice, { refusal: text });
      case 'tool-arguments': {
        const waiting = customCalls.get(`${channel.choice}/${channel.part}`);
        if (waiting !== undefined) {
          waiting.arguments += text;
          return [];
        }
        return change(channel.choice, {
          tool_calls: [{ index: callIndex(channel), function: { arguments: text } }],
        });
      }
      default:
        return assertNever(channel.kind);
    }
  }

  /**
   * Writes the call of a tool that takes any text. Its arguments have another form, which is known only when they are
   * complete.
   */
  function closeCustom(choice: number): SseFrame[] {
    const ended = [...customCalls].filter(([, call]) => call.choice === choice);
    return ended.flatMap(([key, { choice: _choice, index, ...call }]) => {
      customCalls.delete(key);
      return change(choice, { tool_calls: [{ index, ...writeToolCall(call, custom) }] });
    });
  }

  function encodeSignature(channel: Channel, signature: string): SseFrame[] {
    const text = thoughts.get(`${channel.choice}/${channel.part}`) ?? '';
    return change(channel.choice, { reasoning_details: [reasoningDetail(text, signature)] });
  }

  return {
    encode(event) {
      switch (event.type) {
        case 'start':
          chunks.start(event);
          return open(0);
        case 'delta':
          return encodeDelta(event.channel, event.text);
        case 'tool-call-start': {
          if (event.freeform || custom.has(event.name)) {
            const { channel, callId: id, name, freeform } = event;
            const call: CustomCall = {
              choice: channel.choice,
              index: callIndex(channel),
              id,
              name,
              arguments: '',
            };
            if (freeform) call.freeform = freeform;
            customCalls.set(`${channel.choice}/${channel.part}`, call);
            return [];
          }
          const target = { name: event.name, arguments: '' };
          const call = {
            index: callIndex(event.channel),
            id: event.callId,
            type: 'function',
            function: target,
          };
          return change(event.channel.choice, { tool_calls: [call] });
        }
        case 'signature':
          return encodeSignature(event.channel, event.signature);
        case 'finish':
          chunks.noteFinish();
          return [
            ...closeCustom(event.choice),
            ...change(event.choice, {}, writeFinishReason(event.reason, refused.has(event.choice))),
          ];
        case 'usage':
          chunks.noteUsage(event);
          return [];
        case 'error':
          return chunks.fail(event);
        case 'end':
          return chunks.end();
        case 'part-end':
          return [];
        default:
          return assertNever(event);
      }
    },
    finish: () => chunks.finish(),
  };
}

// Passing on -------------------------------------------------------------------------------------------

/** Recognizes frames about usage without parsing the others. */
const USAGE = /"usage"\s*:\s*(?:\{|null)/;
/** Matches at the end of a chunk whose usage is still null. */
const NO_USAGE_YET = /,\s*"usage"\s*:\s*null\s*\}\s*$/;
const WITHOUT_USAGE = new Map([['usage', undefined]]);

/** Some servers end a choice in this way, which clients take for a normal end. */
const ENDS_BY_ERROR = /"finish_reason"\s*:\s*"error"/;

/** An error frame in the form that clients look for: the frame itself where it already has that form, else a new one. */
function errorFrameOf(frame: SseFrame, logId: string): SseFrame {
  const value = frameDocument(frame)?.value;
  const error = value === undefined ? undefined : readError(value);
  if (error === undefined || isJsonObject(value!.error)) return frame;
  return { ...frame, data: addLogId(translateError(error, 502), logId) };
}

/** Adds the log id to the first frame. A client that did not ask for usage does not see it. */
export function adaptFrame(
  frame: SseFrame,
  context: EncoderContext & { first: boolean },
): SseFrame | undefined {
  if (ENDS_BY_ERROR.test(frame.data)) return errorFrameOf(frame, context.logId);
  const mayBeUsage = !context.streamUsage && USAGE.test(frame.data);
  if (!context.first) {
    if (!mayBeUsage) return frame;
    const end = frame.data.search(NO_USAGE_YET);
    if (end !== -1) return { ...frame, data: `${frame.data.slice(0, end)}}` };
  }
  const chunk = frameDocument(frame);
  if (chunk === undefined) return frame;
  const { choices, usage } = chunk.value;
  if (mayBeUsage && isJsonObject(usage) && asArray(choices).length === 0) return undefined;
  if (context.first && !Array.isArray(choices)) return frame;
  const isEmpty = mayBeUsage && usage === null;
  const text = isEmpty ? editMembers(chunk.text, WITHOUT_USAGE) : chunk.text;
  if (context.first) return { ...frame, data: addLogId(text, context.logId) };
  return isEmpty ? { ...frame, data: text } : frame;
}

export function replaceDeltas(frame: SseFrame, texts: string[]): SseFrame {
  const chunk = frameDocument(frame);
  if (chunk === undefined) return frame;
  const deltas = asArray(chunk.value.choices).flatMap((choice, position) => {
    if (!isJsonObject(choice)) return [];
    const path: Path = ['choices', position];
    const calls = [...callDeltas(choice, path)].filter((call) => call.text !== '');
    return [...textDeltas(choice, path).map(({ text, path }) => ({ text, path, json: undefined })), ...calls];
  });
  const edits = deltas.flatMap((delta, index) => {
    const text = texts[index];
    if (text === undefined || text === delta.text) return [];
    return [
      delta.json ? { path: delta.path, write: () => jsonObjectText(text) } : stringEdit(delta.path, text),
    ];
  });
  return edits.length === 0 ? frame : { ...frame, data: spliceValues(frame.data, edits) };
}

/** Deltas of one field in one choice are one text. Tool calls are distinguished by their index. */
export function growingText(chunk: JsonObject, path: Path): string | undefined {
  if (path[0] !== 'choices' || path[2] !== 'delta') return undefined;
  let value: JsonValue | undefined = chunk;
  const place = path.map((step): JsonValue => {
    value = Array.isArray(value) ? value[Number(step)] : asObject(value)?.[step];
    return (typeof step === 'number' ? asObject(value)?.index : undefined) ?? step;
  });
  return JSON.stringify(place);
}
