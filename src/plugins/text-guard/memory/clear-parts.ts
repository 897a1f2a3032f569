import type { Part } from '../../../core/message.js';
import type { PartMemory, PlacedFound } from '../found.js';

/**
 * Remembers parts of messages in which one configuration found nothing. An agent's tools are the same frozen part in
 * each of its requests (`src/dialects/texts/repeated-tools.ts`), so they are looked at once.
 */
export class ClearParts implements PartMemory {
  readonly #clear = new WeakSet<Part>();

  has(part: Part): boolean {
    return comesAgain(part) && this.#clear.has(part);
  }

  add(messages: readonly { parts: readonly Part[] }[], found: readonly PlacedFound[]): void {
    for (const [index, { parts }] of messages.entries()) {
      for (const [number, part] of parts.entries()) {
        if (!comesAgain(part) || this.#clear.has(part)) continue;
        const place = `/${index}/parts/${number}/`;
        if (!found.some((one) => one.place.startsWith(place))) this.#clear.add(part);
      }
    }
  }
}

/** A part that nobody can change may be in several requests. */
function comesAgain(part: Part): boolean {
  return part.type === 'tool-result' && part.callId === '' && Object.isFrozen(part);
}
