/** PERSON, LOCATION and NRP in a text, each with the model's own probability as score. */
import { CLASS_LETTER, CLASS_UPPER } from './characters.js';
import { Decoder } from './decoder.js';
import type { Gazetteer } from './gazetteer.js';
import { hashText } from './hash.js';
import { realName } from './identifiers.js';
import { B_LOCATION, B_PERSON, LABEL_COUNT, NRP } from './labels.js';
import { appendRange, nextSegment } from './segments.js';
import { Sentence } from './sentence.js';
import type { Tokens } from './tokenize.js';
import { loadWeights, type Weights } from './weights.js';

const LAST_ASCII = 0x7f;

export const NAME_LANGUAGES: readonly string[] = ['en', 'es', 'de', 'fr', 'it'];

export type NameType = 'PERSON' | 'LOCATION' | 'NRP';

export interface NameSpan {
  type: NameType;
  start: number;
  end: number;
  score: number;
}

export class NameModel {
  readonly #weights: Weights;
  readonly #decoder: Decoder;
  readonly #sentence = new Sentence();

  constructor(weights: Weights) {
    this.#weights = weights;
    this.#decoder = new Decoder(weights);
  }

  /** Which lists words stand in. */
  get lists(): Gazetteer {
    return this.#weights.gazetteer;
  }

  /** Adds the names of one stretch of `text` before `to` to `found`; gives where the next stretch begins. */
  readSegment(text: string, from: number, to: number, language: string, found: NameSpan[]): number {
    const next = nextSegment(text, from, to, this.#sentence.tokens);
    this.#read(text, language, found);
    return next;
  }

  /**
   * Adds the names of a text of several ranges, such as the lines of a comment, read as one. `ranges` has the start
   * and end of each.
   */
  readRanges(text: string, ranges: readonly number[], language: string, found: NameSpan[]): void {
    const { tokens } = this.#sentence;
    tokens.count = 0;
    for (let i = 0; i < ranges.length; i += 2) {
      if (!appendRange(text, ranges[i]!, ranges[i + 1]!, tokens)) {
        this.#read(text, language, found);
        let at = ranges[i]!;
        while (at < ranges[i + 1]!) at = this.readSegment(text, at, ranges[i + 1]!, language, found);
        tokens.count = 0;
      }
    }
    this.#read(text, language, found);
  }

  /** The names that are none of a program's; in code, those that begin at `codeFrom` or later. */
  realNames(text: string, found: readonly NameSpan[], codeFrom: number | undefined): NameSpan[] {
    const kept: NameSpan[] = [];
    for (const span of found) {
      if (codeFrom !== undefined && span.start < codeFrom) continue;
      const real = realName(text, span, this.#weights.gazetteer, codeFrom !== undefined);
      if (real !== undefined) kept.push(real);
    }
    return kept;
  }

  #read(text: string, language: string, found: NameSpan[]): void {
    const sentence = this.#sentence;
    if (!hasWords(text, sentence.tokens)) return;
    sentence.describe(text, this.#weights, hashText(language));
    if (this.#decoder.decode(text, sentence)) this.#collect(found);
  }

  #collect(found: NameSpan[]): void {
    const { tokens } = this.#sentence;
    const { labels } = this.#decoder;
    for (let i = 0; i < tokens.count; ) {
      const label = labels[i]!;
      const type =
        label === B_PERSON ? 'PERSON' : label === B_LOCATION ? 'LOCATION' : label === NRP ? 'NRP' : undefined;
      if (type === undefined) {
        i++;
        continue;
      }
      const inside = label === NRP ? NRP : label + 1;
      let end = i + 1;
      while (end < tokens.count && labels[end] === inside) end++;
      const score = this.#certainty(i, end, label, inside);
      found.push({ type, start: tokens.start[i]!, end: tokens.end[end - 1]!, score });
      i = end;
    }
  }

  /** Mean probability, over the tokens of a name, that the token belongs to a name of this type. */
  #certainty(from: number, to: number, begin: number, inside: number): number {
    let sum = 0;
    for (let i = from; i < to; i++) {
      sum += this.#decoder.marginals[i * LABEL_COUNT + begin]!;
      if (inside !== begin) sum += this.#decoder.marginals[i * LABEL_COUNT + inside]!;
    }
    return Math.min(1, Math.round((sum / (to - from)) * 100) / 100);
  }
}

/** Whether a token is a word: the `T` of `2024-05-01T10:11` is none, and figures alone are no names. */
function hasWords(text: string, { kind, start, end, count }: Tokens): boolean {
  for (let i = 0; i < count; i++) {
    if (kind[i] !== CLASS_LETTER && kind[i] !== CLASS_UPPER) continue;
    if (end[i]! - start[i]! > 1 || text.charCodeAt(start[i]!) > LAST_ASCII) return true;
  }
  return false;
}

let model: NameModel | undefined;

export function nameModel(): NameModel {
  model ??= new NameModel(loadWeights());
  return model;
}
