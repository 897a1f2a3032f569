/** Finds PERSON, LOCATION and NRP in a text. The score of each is the model's own probability. */
import type { NameSpan } from '../name-span.js';
import type { Gazetteer } from './gazetteer.js';
import type { Kernel } from './kernel.js';
import { B_LOCATION, B_PERSON } from './labels.js';
import { loadWeights, type Weights } from './weights.js';

/** The most units that the kernel looks at for one stretch: the longest stretch, one token, and what follows it. */
const LOOKED_AT = 4096 + 64 + 2;
/**
 * The most units that are kept between two ranges. With one or none, the kernel sees what really stands between them;
 * two separate the ranges.
 */
const GAP = 2;

export const NAME_LANGUAGES: readonly string[] = ['en', 'es', 'de', 'fr', 'it', 'pt', 'nl', 'pl', 'sv', 'da'];

interface Part {
  at: number;
  from: number;
  to: number;
}

export class NameModel {
  readonly #kernel: Kernel;
  /** The ranges of the text that were copied to the kernel, with their offsets there. */
  readonly #parts: Part[] = [];
  /** The number of units that were copied to the kernel. */
  #used = 0;
  /** Tells which word lists contain a word. */
  readonly lists: Gazetteer;

  constructor({ kernel, gazetteer }: Weights) {
    this.#kernel = kernel;
    this.lists = gazetteer;
  }

  /**
   * Adds the names of one stretch of `text`, at most up to `to`, to `found`. Returns where the next stretch begins.
   */
  readSegment(text: string, from: number, to: number, language: string, found: NameSpan[]): number {
    const end = Math.min(to, from + LOOKED_AT);
    this.#begin();
    this.#copy(text, from, end);
    const next = from + this.#kernel.exports.takeStretch(end - from);
    this.#collect(language, found);
    return next;
  }

  /**
   * Adds the names of several ranges that are read as one text, such as the lines of a comment. `ranges` has the
   * start and end of each.
   */
  readRanges(text: string, ranges: readonly number[], language: string, found: NameSpan[]): void {
    this.#begin();
    for (let i = 0; i < ranges.length; i += 2) {
      if (this.#append(text, ranges[i]!, ranges[i + 1]!)) continue;
      this.#collect(language, found);
      for (let at = ranges[i]!; at < ranges[i + 1]!; )
        at = this.readSegment(text, at, ranges[i + 1]!, language, found);
      this.#begin();
    }
    this.#collect(language, found);
  }

  #begin(): void {
    this.#kernel.exports.takeNothing();
    while (this.#parts.length > 0) this.#parts.pop();
    this.#used = 0;
  }

  /** Adds the tokens of a range to those that were taken; false where they do not fit. */
  #append(text: string, from: number, to: number): boolean {
    const last = this.#parts.at(-1);
    if (last !== undefined) this.#used += Math.min(GAP, from - last.to);
    if (this.#used + LOOKED_AT + GAP > this.#kernel.units.length) return false;
    const at = this.#used;
    const end = Math.min(to, from + LOOKED_AT);
    this.#copy(text, from, end);
    this.#kernel.copy(text, end, end + GAP, this.#used);
    return this.#kernel.exports.appendRange(at, this.#used) !== 0;
  }

  /** Copies the units [from, to) to the kernel, after those that it already has. */
  #copy(text: string, from: number, to: number): void {
    const at = this.#used;
    this.#kernel.copy(text, from, to, at);
    this.#parts.push({ at, from, to });
    this.#used = at + to - from;
  }

  /** Adds the names of the tokens that were taken. */
  #collect(language: string, found: NameSpan[]): void {
    const kernel = this.#kernel;
    const count = kernel.readNames(language);
    for (let k = 0; k < count; k++) {
      const label = kernel.label(k);
      const type = label === B_PERSON ? 'PERSON' : label === B_LOCATION ? 'LOCATION' : 'NRP';
      const start = this.#placeInText(kernel.start(k));
      const end = this.#placeInText(kernel.end(k) - 1) + 1;
      found.push({ type, start, end, score: kernel.score(k) });
    }
  }

  /** The offset in the text of a unit of the kernel. */
  #placeInText(at: number): number {
    const parts = this.#parts;
    let k = parts.length - 1;
    while (k > 0 && at < parts[k]!.at) k--;
    return at - parts[k]!.at + parts[k]!.from;
  }
}

let model: NameModel | undefined;

export function nameModel(): NameModel {
  model ??= new NameModel(loadWeights());
  return model;
}
