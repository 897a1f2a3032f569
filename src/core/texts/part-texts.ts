import { assertNever } from '../assert-never.js';
import type { Part } from '../message.js';

/*
 * Where text is in a part. Defined only here, so that guards, masks, plugins and dialects agree on the same set of
 * texts.
 */

/** Returns the text that replaces the original. `place` is a JSON pointer. */
export type TextChange = (text: string, place: string) => string;

/** Changes the texts of a part. Unchanged parts are shared with the original. `place` is the position of the part. */
export function mapPartTexts(part: Part, change: TextChange, place: string): Part {
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
      return withPartTexts(part, change, `${place}/parts`);
    case 'document': {
      if (part.source.kind !== 'text') return part;
      const text = change(part.source.text, `${place}/source/text`);
      return text === part.source.text ? part : { ...part, source: { kind: 'text', text } };
    }
    case 'image':
    case 'other':
      return part;
    default:
      return assertNever(part);
  }
}

/** Changes the texts in all parts of a message, a choice or a tool's result. */
export function withPartTexts<Holder extends { parts: Part[] }>(
  holder: Holder,
  change: TextChange,
  place: string,
): Holder {
  let changed: Part[] | undefined;
  // With `entries` each part would make three objects.
  for (let index = 0; index < holder.parts.length; index++) {
    const part = holder.parts[index]!;
    const now = mapPartTexts(part, change, `${place}/${index}`);
    if (now === part) continue;
    changed ??= [...holder.parts];
    changed[index] = now;
  }
  return changed === undefined ? holder : { ...holder, parts: changed };
}

/** The texts of parts, in their order. */
export function textsOf(parts: readonly Part[]): string[] {
  const texts: string[] = [];
  const collect: TextChange = (text) => {
    texts.push(text);
    return text;
  };
  for (const part of parts) mapPartTexts(part, collect, '');
  return texts;
}
