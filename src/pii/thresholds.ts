/** The lowest score that a finding needs, by its type. */
import { ENTITY_TYPES, OPTIONAL_ENTITY_TYPES, PiiOptionsError, type ScoreThreshold } from './types.js';

const DEFAULT = 'default';
/** The threshold of types for which none is given. */
const USUAL = 0.5;
const NAMED: ReadonlySet<string> = new Set([DEFAULT, ...ENTITY_TYPES, ...OPTIONAL_ENTITY_TYPES]);

/**
 * The thresholds of all types. The constructor throws a `PiiOptionsError` for an unknown type or an invalid score.
 */
export class Thresholds {
  readonly #byType: ReadonlyMap<string, number>;
  readonly #others: number;
  /** The lowest of all thresholds. */
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
