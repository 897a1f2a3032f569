import type { Choice } from '../../core/answer.js';
import type { Message, Part } from '../../core/message.js';

/*
 * Where text stands in messages and answers. Every part that holds text is walked in one place, so that what
 * a guard looks at, what it masks and what a plugin may change are the same set.
 */

/** `place` is a JSON pointer into the messages or choices. The answer takes the text's place. */
export type TextChange = (text: string, place: string) => string;

export interface PlacedText {
  place: string;
  text: string;
}

export function groupByPlace<Item extends { place: string }>(items: readonly Item[]): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const group = groups.get(item.place);
    if (group === undefined) groups.set(item.place, [item]);
    else group.push(item);
  }
  return groups;
}

export function messageTexts(messages: readonly Message[]): PlacedText[] {
  const found: PlacedText[] = [];
  mapMessageTexts(messages, collectInto(found));
  return found;
}

export function choiceTexts(choices: readonly Choice[]): PlacedText[] {
  const found: PlacedText[] = [];
  mapChoiceTexts(choices, collectInto(found));
  return found;
}

export function mapMessageTexts(messages: readonly Message[], change: TextChange): Message[] {
  return messages.map((message, index) => withParts(message, change, `/${index}/parts`));
}

export function mapChoiceTexts(choices: readonly Choice[], change: TextChange): Choice[] {
  return choices.map((choice, index) => withParts(choice, change, `/${index}/parts`));
}

function collectInto(found: PlacedText[]): TextChange {
  return (text, place) => {
    found.push({ place, text });
    return text;
  };
}

/** What was not changed is shared with the original. */
function withParts<Holder extends { parts: Part[] }>(
  holder: Holder,
  change: TextChange,
  place: string,
): Holder {
  const parts = holder.parts.map((part, index) => mapPart(part, change, `${place}/${index}`));
  return parts.every((part, index) => part === holder.parts[index]) ? holder : { ...holder, parts };
}

function mapPart(part: Part, change: TextChange, place: string): Part {
  switch (part.type) {
    case 'text':
    case 'reasoning':
    case 'refusal': {
      const text = change(part.text, `${place}/text`);
      return text === part.text ? part : { ...part, text };
    }
    case 'tool-call': {
      const text = change(part.arguments, `${place}/arguments`);
      return text === part.arguments ? part : { ...part, arguments: text };
    }
    case 'tool-result':
      return withParts(part, change, `${place}/parts`);
    case 'document': {
      if (part.source.kind !== 'text') return part;
      const text = change(part.source.text, `${place}/source/text`);
      return text === part.source.text ? part : { ...part, source: { kind: 'text', text } };
    }
    default:
      return part;
  }
}
