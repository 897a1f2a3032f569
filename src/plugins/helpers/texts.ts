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

/** Of what a file says whose bytes a guard cannot change. Its part is what stands before it. */
export const FILE_PLACE = '/file';

export function isInFile({ place }: { place: string }): boolean {
  return place.endsWith(FILE_PLACE);
}

const GROUPED_AT_ONCE = 1_000;

/** In steps: one text can have tens of thousands of findings. */
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

export function messageTexts(messages: readonly Message[]): PlacedText[] {
  return textsIn(messages);
}

export function choiceTexts(choices: readonly Choice[]): PlacedText[] {
  return textsIn(choices);
}

function textsIn(holders: readonly (Message | Choice)[]): PlacedText[] {
  const found: PlacedText[] = [];
  const collect: TextChange = (text, place) => {
    found.push({ place, text });
    return text;
  };
  for (const [index, holder] of holders.entries()) withPartTexts(holder, collect, `/${index}/parts`);
  return found;
}

/** The messages with other texts. Unchanged parts are shared with the original. */
export function mapMessageTexts(messages: readonly Message[], change: TextChange): Message[] {
  return messages.map((message, index) => withPartTexts(message, change, `/${index}/parts`));
}

/** The choices of an answer with other texts. */
export function mapChoiceTexts(choices: readonly Choice[], change: TextChange): Choice[] {
  return choices.map((choice, index) => withPartTexts(choice, change, `/${index}/parts`));
}
