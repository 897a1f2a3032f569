import type { LeftOut } from '../../core/answer.js';
import type { Message, Part } from '../../core/message.js';
import { fieldName, type PlacedMessage } from '../texts/fields.js';
import { refuseTranslation } from '../wire/check.js';
import { asObject, asString } from '../wire/values.js';
import { freeformArguments } from './freeform.js';

/**
 * The messages in a form for another API. Parts of an assistant's message that only its own API knows are left out,
 * because another model could not use them. Throws for such a part in any other message, because the model would miss
 * it.
 */
export function carriedMessages(placed: readonly PlacedMessage[], leftOut: LeftOut[]): Message[] {
  return placed.flatMap(({ message, others }) => {
    const [first] = others;
    if (isEmptyInstruction(message)) return [];
    if (first === undefined) return [withPlainCalls(message)];
    if (message.role !== 'assistant')
      refuseTranslation(fieldName(first), 'its type is not known to every API');
    const parts = message.parts.filter((part, index) => {
      // The texts of such a part follow it, in a tool result without a call.
      const isTextsOfOther = part.type === 'tool-result' && part.callId === '';
      return part.type !== 'other' && !(isTextsOfOther && message.parts[index - 1]?.type === 'other');
    });
    const values = message.parts.flatMap((part) => (part.type === 'other' ? [part.value] : []));
    for (const [index, path] of others.entries()) {
      const what = asString(asObject(values[index])?.type) ?? 'unknown';
      leftOut.push({ path: fieldName(path), what, why: 'only its own API knows it' });
    }
    return parts.length === 0 ? [] : [withPlainCalls({ ...message, parts })];
  });
}

/** Some clients always send a system prompt, and some APIs refuse an empty one. */
function isEmptyInstruction({ role, parts }: Message): boolean {
  if (role !== 'system' && role !== 'developer') return false;
  return parts.every((part) => part.type === 'text' && part.text === '');
}

/** Turns calls of tools that take any text into calls of functions with one argument. */
function withPlainCalls(message: Message): Message {
  if (!message.parts.some((part) => part.type === 'tool-call' && part.freeform)) return message;
  const parts = message.parts.map((part): Part => {
    if (part.type !== 'tool-call' || !part.freeform) return part;
    const { freeform: _freeform, ...call } = part;
    return { ...call, arguments: freeformArguments(part.arguments) };
  });
  return { ...message, parts };
}
