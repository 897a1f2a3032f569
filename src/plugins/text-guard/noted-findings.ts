import { Attached } from '../../core/lists/attached.js';
import type { PlacedText } from '../helpers/texts.js';
import type { Found } from './found.js';

/**
 * The most texts of an exchange that are remembered without a hash. There are few, because they are compared one by
 * one.
 */
const MOST_NOTED = 64;

/** What was found in each of these texts. */
interface Noted {
  texts: string[];
  found: (readonly Found[])[];
}

/** Remembers what was found in the texts of each exchange, so that its LOG phase does not hash them again. */
export class NotedFindings {
  readonly #noted = new Attached<Noted>();

  /** What was found in a text of this exchange. Undefined where it was not noted. */
  find(exchange: object | undefined, text: string): readonly Found[] | undefined {
    const noted = exchange && this.#noted.get(exchange);
    const index = noted === undefined ? -1 : noted.texts.indexOf(text);
    return index === -1 ? undefined : noted!.found[index];
  }

  note(exchange: object, texts: readonly PlacedText[], found: readonly (readonly Found[])[]): void {
    const noted = this.#noted.get(exchange);
    if ((noted?.texts.length ?? 0) + texts.length > MOST_NOTED) return;
    if (noted === undefined) {
      this.#noted.set(exchange, { texts: texts.map(({ text }) => text), found: [...found] });
      return;
    }
    for (const { text } of texts) noted.texts.push(text);
    noted.found.push(...found);
  }
}
