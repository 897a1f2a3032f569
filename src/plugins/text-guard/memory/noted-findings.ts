import type { PlacedText } from '../../helpers/texts.js';
import type { Found } from '../found.js';

/** The most texts of an exchange that are remembered without a hash. */
const MOST_NOTED = 2_000;
/** How many noted texts a text is compared with. */
const COMPARED_TEXTS = 64;

/** What was found in each of these texts, in the order in which they were looked at. */
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

  /** Undefined where nothing was noted of this exchange. */
  recall(exchange: object | undefined): Recollection | undefined {
    const noted = exchange && this.#of(exchange);
    return noted && new Recollection(noted);
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

/**
 * Finds noted texts again. Ask for them from the last to the first: a log has its texts in the order in which they were noted, so each
 * one is looked for in front of the one that was found before.
 */
export class Recollection {
  /** Where the next text is expected. */
  #at: number;

  constructor(private readonly noted: Noted) {
    this.#at = noted.texts.length - 1;
  }

  /** What was found in this text. Undefined where it was not noted. */
  find(text: string): readonly Found[] | undefined {
    const { texts, found } = this.noted;
    const end = Math.max(-1, this.#at - COMPARED_TEXTS);
    for (let at = this.#at; at > end; at--) {
      if (texts[at] !== text) continue;
      this.#at = at - 1;
      return found[at];
    }
    return undefined;
  }
}
