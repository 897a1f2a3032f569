import type { Choice } from '../../core/answer.js';
import type { Message } from '../../core/message.js';
import type { Steps } from '../../core/pacing/steps.js';
import { type TextChange, withPartTexts } from '../../core/texts/part-texts.js';

/* The texts of messages and answers, each with its place. */

/** `place` is a JSON pointer into the messages or choices, such as `/2/parts/0/text`. */
export interface PlacedText {
  place: string;
  text: string;
}

/**
 * The last part of the place of text that was read from a file. A guard cannot change such text. The file's part of
 * the message is named before it.
 */
export const FILE_PLACE = '/file';

export function isInFile({ place }: { place: string }): boolean {
  return place.endsWith(FILE_PLACE);
}

const GROUPED_AT_ONCE = 1_000;

/** Groups items by place. In steps, because one text can have tens of thousands of findings. */
export function* groupByPlace<Item extends { place: string }>(
  items: readonly Item[],
): Steps<Map<string, Item[]>> {
  const groups = new Map<string, Item[]>();
  for (const [index, item] of items.entries()) {
    if (index % GROUPED_AT_ONCE === GROUPED_AT_ONCE - 1) yield;
    const group = groups.get(item.place);
    if (group === undefined) groups.set(item.place, [item]);
    else group.push(item);
  }
  return groups;
}

/**
 * All texts of messages, in order: texts, reasoning, refusals, arguments of tool calls, text documents, and the texts of
 * tool results.
 *
 * @returns each text with its place, a JSON pointer into `messages` (RFC 6901)
 * @example
 * ```ts
 * messageTexts([{ role: 'user', parts: [{ type: 'text', text: 'Hi' }] }]);
 * // => [{ place: '/0/parts/0/text', text: 'Hi' }]
 * ```
 */
export function messageTexts(messages: readonly Message[]): PlacedText[] {
  return textsIn(messages);
}

/**
 * All texts of an answer, in order; otherwise as `messageTexts`.
 *
 * @returns each text with its place, a JSON pointer into `choices`
 * @example
 * ```ts
 * const call = { type: 'tool-call', id: 'call-1', name: 'find', arguments: '{"name":"Ann"}' };
 * choiceTexts([{ index: 0, parts: [call], finishReason: 'tool-calls' }]);
 * // => [{ place: '/0/parts/0/arguments', text: '{"name":"Ann"}' }]
 * ```
 */
export function choiceTexts(choices: readonly Choice[]): PlacedText[] {
  return textsIn(choices);
}

/** All texts of messages or of choices. */
export function textsIn(holders: readonly (Message | Choice)[]): PlacedText[] {
  const found: PlacedText[] = [];
  const collect: TextChange = (text, place) => {
    found.push({ place, text });
    return text;
  };
  for (const [index, holder] of holders.entries()) withPartTexts(holder, collect, `/${index}/parts`);
  return found;
}

/**
 * The messages with other texts. Unchanged parts are shared with the original, which is not modified.
 *
 * @param change returns the new text. It gets each text with its place, as `messageTexts` gives it.
 * @example
 * ```ts
 * mapMessageTexts([{ role: 'user', parts: [{ type: 'text', text: 'Hi' }] }], (text) => text.toUpperCase());
 * // => [{ role: 'user', parts: [{ type: 'text', text: 'HI' }] }]
 * ```
 */
export function mapMessageTexts(messages: readonly Message[], change: TextChange): Message[] {
  return messages.map((message, index) => withPartTexts(message, change, `/${index}/parts`));
}

/**
 * The choices of an answer with other texts; otherwise as `mapMessageTexts`.
 *
 * @param change returns the new text. It gets each text with its place, as `choiceTexts` gives it.
 * @example
 * ```ts
 * const choices = [{ index: 0, parts: [{ type: 'text', text: 'Yes' }], finishReason: 'stop' }];
 * mapChoiceTexts(choices, (text, place) => `${text} (${place})`);
 * // => [{ index: 0, parts: [{ type: 'text', text: 'Yes (/0/parts/0/text)' }], finishReason: 'stop' }]
 * ```
 */
export function mapChoiceTexts(choices: readonly Choice[], change: TextChange): Choice[] {
  return choices.map((choice, index) => withPartTexts(choice, change, `/${index}/parts`));
}
