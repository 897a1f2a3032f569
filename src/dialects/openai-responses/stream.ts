import { assertNever } from '../../core/assert-never.js';
import type { JsonObject } from '../../core/json.js';
import type { FinishReason, Usage } from '../../core/message.js';
import type { EncoderContext, SseFrame, StreamEncoder } from '../dialect.js';
import { BROKEN_OFF, openaiErrorType } from '../translate/error-types.js';
import { freeformInput } from '../translate/freeform.js';
import { frameDocument } from '../wire/frame-document.js';
import { addLogId } from '../wire/frames.js';
import { createSequencer, type PartEvent } from '../wire/sequencer.js';
import { type Path, spliceValues, stringEdit } from '../wire/splice.js';
import { asObject, asString } from '../wire/values.js';
import { CallNames } from './client-tools.js';
import { textField } from './decode.js';
import { errorFrame, writeStreamError } from './errors.js';
import {
  callOf,
  ID_PREFIXES,
  type OpenPart,
  PART_EVENTS,
  writeOpenItem,
  writeOpenPart,
  writeWhole,
} from './open-part.js';
import { callPrefix, endReason, itemId, type ResponseHead, repeatedText, writeResponse } from './render.js';

// Encoding ---------------------------------------------------------------------------------------------

export function createEncoder(context: EncoderContext): StreamEncoder {
  const sequencer = createSequencer();
  const output: JsonObject[] = [];
  const { logId, created, model, request } = context;
  const calls = new CallNames(request);
  let head: ResponseHead = { logId, id: '', created, model, text: repeatedText(request) };
  let sequenceNumber = 0;
  let started = false;
  let ended = false;
  let open: OpenPart | undefined;
  let usage: Usage | undefined;
  let reason: FinishReason | undefined;
  let refused = false;

  function frameOf(type: string, fields: JsonObject): SseFrame {
    return { event: type, data: JSON.stringify({ type, sequence_number: sequenceNumber++, ...fields }) };
  }

  function start(): SseFrame[] {
    if (started) return [];
    started = true;
    return [
      frameOf('response.created', { response: writeResponse(head, [], null, undefined) }),
      frameOf('response.in_progress', { response: writeResponse(head, [], null, undefined) }),
    ];
  }

  /** The fields of an event of the open part: its place in the output, and these. */
  function placed(part: OpenPart, fields: JsonObject): JsonObject {
    const [item_id, output_index] = [part.itemId, output.length];
    switch (part.kind) {
      case 'tool-arguments':
        return { item_id, output_index, ...fields };
      case 'reasoning':
        return { item_id, output_index, summary_index: 0, ...fields };
      case 'text':
      case 'refusal':
        return { item_id, output_index, content_index: 0, ...fields };
      default:
        return assertNever(part.kind);
    }
  }

  function encodeOpen(event: Extract<PartEvent, { type: 'open' }>): SseFrame[] {
    const { kind, callId, name, freeform } = event;
    const prefix = kind === 'tool-arguments' ? callPrefix(calls.kindOf(event)) : ID_PREFIXES[kind];
    const id = itemId(prefix, context.logId, output.length);
    open = { kind, callId, name, itemId: id, text: '', hasPart: false };
    if (freeform) open.freeform = freeform;
    if (kind === 'refusal') refused = true;
    const item = writeOpenItem(open, 'in_progress', calls);
    const added = frameOf('response.output_item.added', { output_index: output.length, item });
    return kind === 'reasoning' ? [added] : [added, ...encodePartOpen(open)];
  }

  function encodePartOpen(part: OpenPart): SseFrame[] {
    const name = PART_EVENTS[part.kind].partAdded;
    if (name === undefined || part.hasPart) return [];
    part.hasPart = true;
    return [frameOf(name, placed(part, { part: writeOpenPart(part) }))];
  }

  function encodeText(part: OpenPart, text: string): SseFrame[] {
    const opened = encodePartOpen(part);
    part.text += text;
    // A call of a tool that is not a function has arguments of another form, which is known only when they are
    // complete.
    if (isOtherCall(part)) return [];
    const fields: JsonObject = part.kind === 'text' ? { delta: text, logprobs: [] } : { delta: text };
    return [...opened, frameOf(PART_EVENTS[part.kind].delta, placed(part, fields))];
  }

  function isOtherCall(part: OpenPart): boolean {
    return part.kind === 'tool-arguments' && calls.kindOf(part) !== 'function';
  }

  function encodeOtherCall(part: OpenPart): SseFrame[] {
    if (calls.kindOf(part) !== 'custom') return [];
    const input = freeformInput(callOf(part));
    return [
      frameOf('response.custom_tool_call_input.delta', placed(part, { delta: input })),
      frameOf('response.custom_tool_call_input.done', placed(part, { input })),
    ];
  }

  function encodeClose(part: OpenPart): SseFrame[] {
    const names = PART_EVENTS[part.kind];
    const isOther = isOtherCall(part);
    const frames: SseFrame[] = isOther ? encodeOtherCall(part) : [];
    if (!isOther && (part.hasPart || names.partDone === undefined)) {
      frames.push(frameOf(names.done, placed(part, writeWhole(part))));
    }
    if (part.hasPart && names.partDone !== undefined) {
      frames.push(frameOf(names.partDone, placed(part, { part: writeOpenPart(part) })));
    }
    const item = writeOpenItem(part, 'completed', calls);
    frames.push(frameOf('response.output_item.done', { output_index: output.length, item }));
    output.push(item);
    open = undefined;
    return frames;
  }

  function encodePart(event: PartEvent): SseFrame[] {
    if (event.type === 'open') return encodeOpen(event);
    if (open === undefined) return [];
    switch (event.type) {
      case 'text':
        return encodeText(open, event.text);
      case 'signature':
        open.signature = (open.signature ?? '') + event.signature;
        return [];
      case 'close':
        return encodeClose(open);
      default:
        return assertNever(event);
    }
  }

  function encodeEnd(): SseFrame[] {
    if (ended) return [];
    ended = true;
    const parts = [...start(), ...sequencer.flush().flatMap(encodePart)];
    const response = writeResponse(head, output, endReason(reason ?? 'stop', refused), usage);
    return [...parts, frameOf(`response.${asString(response.status)}`, { response })];
  }

  return {
    encode(event) {
      switch (event.type) {
        case 'start':
          head = { ...head, id: event.id, created: event.created ?? head.created };
          if (event.model !== '') head.model = event.model;
          return start();
        case 'usage':
          usage = event.usage;
          return [];
        case 'finish':
          if (event.choice === 0) reason = event.reason;
          return [];
        case 'error': {
          ended = true;
          const type = openaiErrorType(event.errorType, 500);
          return [errorFrame({ message: event.message, type, code: type, param: null }, sequenceNumber++)];
        }
        case 'end':
          return encodeEnd();
        case 'delta':
        case 'tool-call-start':
        case 'signature':
        case 'part-end': {
          const parts = sequencer.take(event);
          return parts.length === 0 ? [] : [...start(), ...parts.flatMap(encodePart)];
        }
        default:
          return assertNever(event);
      }
    },
    finish() {
      if (reason !== undefined || ended) return encodeEnd();
      ended = true;
      return writeStreamError(BROKEN_OFF, context.logId, sequenceNumber);
    },
  };
}

// Passing on -------------------------------------------------------------------------------------------

/** Finds the frames with a response object, which get the log id, without parsing the others. */
const RESPONSE = /"response"\s*:\s*\{/;

export function adaptFrame(
  frame: SseFrame,
  context: EncoderContext & { first: boolean },
): SseFrame | undefined {
  if (!RESPONSE.test(frame.data)) return frame;
  const value = frameDocument(frame)?.value;
  if (asObject(value?.response) === undefined || !asString(value?.type)?.startsWith('response.'))
    return frame;
  const write = (response: string) => addLogId(response, context.logId);
  return { ...frame, data: spliceValues(frame.data, [{ path: ['response'], write }]) };
}

/** An event that repeats a text after its deltas is not a text of its own. */
export function replaceDeltas(frame: SseFrame, texts: string[]): SseFrame {
  const value = frameDocument(frame)?.value;
  const field = value === undefined ? undefined : textField(value);
  const text = texts[0];
  if (field === undefined || text === undefined || field.text === text) return frame;
  return { ...frame, data: spliceValues(frame.data, [stringEdit(field.path, text)]) };
}

/** Deltas of one kind and one item are one text. */
export function growingText(event: JsonObject, path: Path): string | undefined {
  if (path[0] !== 'delta') return undefined;
  const { type, item_id, output_index, content_index } = event;
  return JSON.stringify([type, item_id, output_index, content_index, path]);
}
