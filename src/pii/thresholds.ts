/** The least score of a finding, by its type. */
import { ENTITY_TYPES, OPTIONAL_ENTITY_TYPES, PiiOptionsError, type ScoreThreshold } from './types.js';

const DEFAULT = 'default';
/** Of types that nothing is said of. */
const USUAL = 0.5;
const NAMED: ReadonlySet<string> = new Set([DEFAULT, ...ENTITY_TYPES, ...OPTIONAL_ENTITY_TYPES]);

/** What a finding of each type must score. Throws a `PiiOptionsError` at what is no type or no score. */
export class Thresholds {
  readonly #byType: ReadonlyMap<string, number>;
  readonly #others: number;
  /** The lowest of all. */
  readonly lowest: number;

  constructor(given: ScoreThreshold = USUAL) {
    const byType = Object.entries(typeof given === 'number' ? { [DEFAULT]: given } : given);
    const place = (type: string) => (typeof given === 'number' ? 'scoreThreshold' : `scoreThreshold.${type}`);
    for (const [type, score] of byType) {
      if (!NAMED.has(type)) throw new PiiOptionsError(place(type), `unknown entity type "${type}"`);
      if (!(score >= 0 && score <= 1))
        throw new PiiOptionsError(place(type), 'expected a number from 0 to 1');
    }
    this.#byType = new Map(byType);
    this.#others = this.#byType.get(DEFAULT) ?? USUAL;
    this.lowest = Math.min(this.#others, ...this.#byType.values());
  }

  of(type: string): number {
    return this.#byType.get(type) ?? this.#others;
  }
}
