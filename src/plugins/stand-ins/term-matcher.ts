import type { Steps } from '../../core/pacing/steps.js';
/** An occurrence of a term in a text. `name` is what the term was registered with. */
export interface TermMatch {
  start: number;
  end: number;
  name: string;
}

export interface MatchOptions {
  /** Whether nothing follows the text. */
  final: boolean;
  /** The text before, as far as needed to see whether a word continues. */
  before: string;
  /** Whether the text is inside JSON, where a letter after a backslash does not count as a letter. */
  json: boolean;
}

/** How much of the text before is needed for `MatchOptions.before`. */
export const BEFORE_UNITS = 32;

const LETTER = /[\p{L}\p{N}\p{M}]/u;
/** A JSON escape of a blank or another character that ends a word, at the end of a text. */
const ESCAPE = /(?:^|[^\\])(?:\\\\)*\\(?:[bfnrt]|u00[01][\da-f]|u20[0-6][\da-f]|u00a0)$/i;

/** The number of terms that are handled in one step. */
const TERMS_AT_ONCE = 512;

/**
 * Finds terms as whole words in a text to which more may be added: from the left, and the longest first. The result
 * does not depend on where the text is split.
 */
export class TermMatcher {
  /** The terms in the order of their UTF-16 units. */
  readonly #terms: string[];
  readonly #names: ReadonlyMap<string, string>;
  readonly #beginning: RegExp | undefined;

  private constructor(names: ReadonlyMap<string, string>, sorted: string[], first: ReadonlySet<number>) {
    this.#names = names;
    this.#terms = sorted;
    if (first.size > 0) this.#beginning = new RegExp(`[${[...first].map(escaped).join('')}]`, 'g');
  }

  /** Creates a matcher for terms with their names, in steps of a few hundred terms. */
  static *inSteps(terms: Iterable<readonly [term: string, name: string]>): Steps<TermMatcher> {
    const names = new Map<string, string>();
    const first = new Set<number>();
    for (const [term, name] of terms) {
      if (term === '') continue;
      names.set(term, name);
      first.add(term.charCodeAt(0));
      if (names.size % TERMS_AT_ONCE === 0) yield;
    }
    return new TermMatcher(names, yield* sorted([...names.keys()]), first);
  }

  /**
   * The matches in a text. From offset `open` on, more text could complete a term, so nothing is decided there yet.
   */
  find(text: string, options: MatchOptions): { matches: TermMatch[]; open: number } {
    const matches: TermMatch[] = [];
    const beginning = this.#beginning;
    if (beginning === undefined) return { matches, open: text.length };
    let at = 0;
    for (;;) {
      beginning.lastIndex = at;
      const start = beginning.exec(text)?.index;
      if (start === undefined) return { matches, open: text.length };
      const found = this.#at(text, start, options);
      if (found === 'open') return { matches, open: start };
      if (found !== undefined) matches.push(found);
      at = found?.end ?? start + 1;
    }
  }

  #at(text: string, start: number, options: MatchOptions): TermMatch | 'open' | undefined {
    if (isLetter(text, start) && wordGoesOn(text, start, options)) return undefined;
    const ends: number[] = [];
    let [low, high] = [0, this.#terms.length];
    for (let depth = 0; low < high; depth++) {
      // Among terms with the same beginning, a term that equals the beginning comes first.
      if (this.#terms[low]!.length === depth) {
        ends.push(start + depth);
        low++;
      }
      if (low === high) break;
      if (start + depth === text.length) {
        if (!options.final) return 'open';
        break;
      }
      const unit = text.charCodeAt(start + depth);
      low = this.#firstFrom(low, high, depth, unit);
      high = this.#firstFrom(low, high, depth, unit + 1);
    }
    for (const end of ends.reverse()) {
      if (!isLetter(text, end - 1)) return this.#match(text, start, end);
      if (end === text.length && !options.final) return 'open';
      if (end === text.length || !isLetter(text, end)) return this.#match(text, start, end);
    }
    return undefined;
  }

  #match(text: string, start: number, end: number): TermMatch {
    return { start, end, name: this.#names.get(text.slice(start, end))! };
  }

  /**
   * The first term of a range whose unit at `depth` is `unit` or greater. All terms of the range are longer than
   * `depth`.
   */
  #firstFrom(from: number, to: number, depth: number, unit: number): number {
    let [low, high] = [from, to];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#terms[middle]!.charCodeAt(depth) < unit) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function escaped(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`;
}

function isLetter(text: string, at: number): boolean {
  return LETTER.test(text.charAt(at));
}

/** Whether a word continues at this offset. */
function wordGoesOn(text: string, at: number, { before, json }: MatchOptions): boolean {
  const left = before.slice(-BEFORE_UNITS) + text.slice(Math.max(0, at - BEFORE_UNITS), at);
  const last = left.slice(-BEFORE_UNITS);
  if (last === '' || !isLetter(last, last.length - 1)) return false;
  return !json || !ESCAPE.test(last);
}

/** Sorts texts by their UTF-16 units: runs are sorted one by one, then merged in pairs. */
function* sorted(texts: readonly string[]): Steps<string[]> {
  let runs: string[][] = [];
  for (let from = 0; from < texts.length; from += TERMS_AT_ONCE) {
    runs.push(texts.slice(from, from + TERMS_AT_ONCE).sort());
    yield;
  }
  while (runs.length > 1) {
    const longer: string[][] = [];
    for (let at = 0; at < runs.length; at += 2) longer.push(yield* merged(runs[at]!, runs[at + 1] ?? []));
    runs = longer;
  }
  return runs[0] ?? [];
}

function* merged(left: readonly string[], right: readonly string[]): Steps<string[]> {
  const all: string[] = [];
  for (let [at, other] = [0, 0]; at < left.length || other < right.length; ) {
    const isLeft = other === right.length || (at < left.length && left[at]! <= right[other]!);
    all.push(isLeft ? left[at++]! : right[other++]!);
    if (all.length % TERMS_AT_ONCE === 0) yield;
  }
  return all;
}
