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

/**
 * Remembers what was found in the texts of each exchange, so that its LOG phase does not hash them again. It is a property of the
 * object that stands for the exchange. In a WeakMap an entry takes up to a microsecond in each collection of young objects.
 */
export class NotedFindings {
  /** Each guard has a name of its own. */
  readonly #name = Symbol('findings');

  /** What was found in a text of this exchange. Undefined where it was not noted. */
  find(exchange: object | undefined, text: string): readonly Found[] | undefined {
    const noted = exchange && this.#of(exchange);
    const index = noted === undefined ? -1 : noted.texts.indexOf(text);
    return index === -1 ? undefined : noted!.found[index];
  }

  note(exchange: object, texts: readonly PlacedText[], found: readonly (readonly Found[])[]): void {
    const noted = this.#of(exchange);
    if ((noted?.texts.length ?? 0) + texts.length > MOST_NOTED) return;
    if (noted === undefined) {
      const first: Noted = { texts: texts.map(({ text }) => text), found: [...found] };
      (exchange as Record<symbol, Noted>)[this.#name] = first;
      return;
    }
    for (const { text } of texts) noted.texts.push(text);
    noted.found.push(...found);
  }

  #of(exchange: object): Noted | undefined {
    return (exchange as Record<symbol, Noted | undefined>)[this.#name];
  }
}
