import type { ChannelKind } from '../../core/answer.js';
import { assertNever } from '../../core/assert-never.js';
import type { JsonObject } from '../../core/json.js';
import type { CallNames, CallToWrite } from './client-tools.js';
import { refusalPart, textPart, writeMessageItem, writeReasoningItem } from './render.js';

/** The part of a stream that is being written, with its text so far. */
export interface OpenPart {
  kind: ChannelKind;
  itemId: string;
  callId: string;
  name: string;
  /** Set for a call of a tool that takes any text. */
  freeform?: true;
  text: string;
  /** Whether the item has a part. Reasoning can be only a signature, and then it has none. */
  hasPart: boolean;
  signature?: string;
}

/** The prefix of its item's id. */
export const ID_PREFIXES = { text: 'msg', refusal: 'msg', reasoning: 'rs' } as const;

interface EventNames {
  delta: string;
  done: string;
  partAdded?: string;
  partDone?: string;
}

const CONTENT_PART = { partAdded: 'response.content_part.added', partDone: 'response.content_part.done' };

/** The names of its events. */
export const PART_EVENTS: Record<ChannelKind, EventNames> = {
  text: { delta: 'response.output_text.delta', done: 'response.output_text.done', ...CONTENT_PART },
  refusal: { delta: 'response.refusal.delta', done: 'response.refusal.done', ...CONTENT_PART },
  reasoning: {
    delta: 'response.reasoning_summary_text.delta',
    done: 'response.reasoning_summary_text.done',
    partAdded: 'response.reasoning_summary_part.added',
    partDone: 'response.reasoning_summary_part.done',
  },
  'tool-arguments': {
    delta: 'response.function_call_arguments.delta',
    done: 'response.function_call_arguments.done',
  },
};

export function writeOpenPart(part: OpenPart): JsonObject {
  if (part.kind === 'reasoning') return { type: 'summary_text', text: part.text };
  return part.kind === 'refusal' ? refusalPart(part.text) : textPart(part.text);
}

export function callOf({ callId, name, text, freeform }: OpenPart): CallToWrite {
  const call: CallToWrite = { id: callId, name, arguments: text };
  if (freeform) call.freeform = freeform;
  return call;
}

/** The event that repeats the whole text. */
export function writeWhole(part: OpenPart): JsonObject {
  switch (part.kind) {
    case 'text':
      return { text: part.text, logprobs: [] };
    case 'reasoning':
      return { text: part.text };
    case 'refusal':
      return { refusal: part.text };
    case 'tool-arguments':
      return { arguments: part.text, name: part.name };
    default:
      return assertNever(part.kind);
  }
}

export function writeOpenItem(
  part: OpenPart,
  status: 'in_progress' | 'completed',
  calls: CallNames,
): JsonObject {
  switch (part.kind) {
    case 'reasoning':
      return writeReasoningItem(part.itemId, part.text, part.signature);
    case 'tool-arguments': {
      return calls.writeItem(part.itemId, callOf(part), status);
    }
    case 'text':
    case 'refusal':
      return writeMessageItem(part.itemId, status === 'completed' ? writeOpenPart(part) : undefined, status);
    default:
      return assertNever(part.kind);
  }
}
