import type { Part } from '../../../core/message.js';
import type { PartMemory, PlacedFound } from '../found.js';

/** Stands in the place of a part that need not be looked at, because it has no text. */
const NO_TEXT: Part = { type: 'other', value: null };

/**
 * Remembers parts of messages in which one configuration found nothing. An agent's tools are the same frozen part in
 * each of its requests (`src/dialects/texts/repeated-tools.ts`), so they are looked at once.
 */
export class ClearParts implements PartMemory {
  readonly #clear = new WeakSet<Part>();

  withoutClear<Held extends { parts: Part[] }>(holders: readonly Held[]): readonly Held[] {
    if (!holders.some(({ parts }) => parts.some(this.#isClear))) return holders;
    return holders.map((holder) => ({
      ...holder,
      parts: holder.parts.map((part) => (this.#isClear(part) ? NO_TEXT : part)),
    }));
  }

  learn(holders: readonly { parts: readonly Part[] }[], found: readonly PlacedFound[]): void {
    for (const [index, { parts }] of holders.entries()) {
      for (const [number, part] of parts.entries()) {
        if (!comesAgain(part) || this.#clear.has(part)) continue;
        const place = `/${index}/parts/${number}/`;
        if (!found.some((one) => one.place.startsWith(place))) this.#clear.add(part);
      }
    }
  }

  readonly #isClear = (part: Part): boolean => comesAgain(part) && this.#clear.has(part);
}

/** A part that nobody can change may be in several requests. */
function comesAgain(part: Part): boolean {
  return part.type === 'tool-result' && part.callId === '' && Object.isFrozen(part);
}
