/**
 * The user's allow and deny lists. An Aho-Corasick automaton finds all terms at once, as whole words in any case.
 * Patterns run on RE2, which takes linear time for any pattern.
 */
import { RE2JS } from 're2js';
import { isLetterOfEscape } from './json-escapes.js';
import { CLASS_DIGIT, charClass, isLetterUnit, lowerUnit } from './model/characters.js';
import { normalize } from './normalize.js';
import { staysInLine, widthOfPattern } from './patterns/pattern-reach.js';
import { requiredText } from './patterns/required-text.js';
import { isUnspacedUnit } from './scripts.js';
import { PiiOptionsError } from './types.js';

export interface ListMatch {
  start: number;
  end: number;
  /** The entry of the list as its author wrote it. */
  entry: string;
}

const PATTERN_ENTRY = /^\/(.+)\/([a-z]*)$/s;
const FLAGS: Record<string, number> = {
  i: RE2JS.CASE_INSENSITIVE,
  m: RE2JS.MULTILINE,
  s: RE2JS.DOTALL,
  g: 0,
  u: 0,
};
/** Long text is searched in stretches of this many UTF-16 units, so that other work can run between them. */
const STRETCH = 8192;
/**
 * A pattern whose matches may be longer than this is tried on all the text that follows, or on the rest of the line.
 */
const WIDEST_OF_STRETCH = 4096;
/** A character outside the Basic Multilingual Plane has two units. */
const UNITS_OF_CHARACTER = 2;
/** A term of at least this many UTF-16 units counts as a word even with digits directly beside it: `password1`. */
const FEWEST_BESIDE_DIGITS = 4;

interface Node {
  next: Map<number, Node>;
  fail: Node | undefined;
  /** The terms that end in this state, the longest first, including those of the state `fail`. */
  terms: { length: number; entry: string }[];
}

function makeNode(): Node {
  return { next: new Map(), fail: undefined, terms: [] };
}

function isWordUnit(unit: number): boolean {
  return isLetterUnit(unit) || charClass[unit] === CLASS_DIGIT || unit === 0x5f;
}

/**
 * Whether the word goes on beyond the term: the term's last unit and the unit after it, or its first unit and the
 * unit before it, belong to one word.
 */
function goesOn(own: number, beside: number, units: number): boolean {
  if (!isWordUnit(own) || !isWordUnit(beside)) return false;
  if (isUnspacedUnit(own) || isUnspacedUnit(beside)) return false;
  return !(units >= FEWEST_BESIDE_DIGITS && isLetterUnit(own) && charClass[beside] === CLASS_DIGIT);
}

class Terms {
  readonly #root = makeNode();

  constructor(entries: readonly string[]) {
    for (const entry of entries) this.#add(entry);
    this.#link();
  }

  #add(entry: string): void {
    const term = normalize(entry).text.trim();
    let node = this.#root;
    for (let at = 0; at < term.length; at++) {
      const unit = lowerUnit[term.charCodeAt(at)]!;
      const next = node.next.get(unit) ?? makeNode();
      node.next.set(unit, next);
      node = next;
    }
    node.terms.push({ length: term.length, entry });
  }

  #link(): void {
    const queue: Node[] = [...this.#root.next.values()];
    for (const node of queue) node.fail = this.#root;
    for (let node = queue.shift(); node !== undefined; node = queue.shift()) {
      for (const [unit, child] of node.next) {
        let fail = node.fail;
        while (fail !== undefined && !fail.next.has(unit)) fail = fail.fail;
        child.fail = fail?.next.get(unit) ?? this.#root;
        child.terms.push(...child.fail.terms);
        queue.push(child);
      }
    }
  }

  *find(text: string, found: ListMatch[]): Generator<void> {
    let node = this.#root;
    for (let at = 0; at < text.length; at++) {
      const unit = lowerUnit[text.charCodeAt(at)]!;
      while (node !== this.#root && !node.next.has(unit)) node = node.fail!;
      node = node.next.get(unit) ?? this.#root;
      for (const { length, entry } of node.terms)
        this.#keepWhole(text, at + 1 - length, at + 1, entry, found);
      if (at % STRETCH === STRETCH - 1) yield;
    }
  }

  #keepWhole(text: string, start: number, end: number, entry: string, found: ListMatch[]): void {
    const units = end - start;
    const isCutBefore =
      start > 0 &&
      goesOn(text.charCodeAt(start), text.charCodeAt(start - 1), units) &&
      !isLetterOfEscape(text, start - 1);
    const isCutAfter = end < text.length && goesOn(text.charCodeAt(end - 1), text.charCodeAt(end), units);
    if (!isCutBefore && !isCutAfter) found.push({ start, end, entry });
  }
}

interface CompiledPattern {
  entry: string;
  pattern: RE2JS;
  /**
   * A pattern that every match must contain. A text without it is not searched further. Undefined where none is
   * known.
   */
  required: RegExp | undefined;
  /** The most UTF-16 units of a match; undefined where there is no small limit. */
  width: number | undefined;
  staysInLine: boolean;
}

function compilePattern(entry: string, path: string): CompiledPattern | undefined {
  const parts = PATTERN_ENTRY.exec(entry);
  if (parts === null) return undefined;
  let flags = 0;
  for (const flag of parts[2]!) {
    if (FLAGS[flag] === undefined)
      throw new PiiOptionsError(path, `unknown flag "${flag}": use i, m, s, u or g`);
    flags |= FLAGS[flag];
  }
  try {
    const pattern = RE2JS.compile(parts[1]!, flags);
    const ignoresCase = (flags & RE2JS.CASE_INSENSITIVE) !== 0;
    const width = widthOfPattern(parts[1]!) * UNITS_OF_CHARACTER;
    return {
      entry,
      pattern,
      required: requiredText(parts[1]!, ignoresCase),
      width: width <= WIDEST_OF_STRETCH ? width : undefined,
      staysInLine: staysInLine(parts[1]!, parts[2]!),
    };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new PiiOptionsError(
      path,
      `not a valid RE2 pattern (RE2 has no lookaround and no back-references): ${reason}`,
    );
  }
}

export class TermList {
  readonly #terms: Terms | undefined;
  readonly #patterns: CompiledPattern[] = [];

  constructor(entries: readonly string[], path: string) {
    const terms: string[] = [];
    entries.forEach((entry, i) => {
      const entryPath = `${path}[${i}]`;
      if (typeof entry !== 'string' || normalize(entry).text.trim() === '') {
        throw new PiiOptionsError(entryPath, 'expected a term or /pattern/flags that is not empty');
      }
      const pattern = compilePattern(entry, entryPath);
      if (pattern === undefined) terms.push(entry);
      else this.#patterns.push(pattern);
    });
    if (terms.length > 0) this.#terms = new Terms(terms);
  }

  /** All matches in a normalised text. Yields after each bounded piece of work. */
  *matches(text: string): Generator<void, ListMatch[]> {
    const found: ListMatch[] = [];
    if (this.#terms !== undefined) yield* this.#terms.find(text, found);
    for (const pattern of this.#patterns) {
      for (let from = 0; from < text.length; ) {
        from = findInStretch(pattern, text, from, found);
        yield;
      }
    }
    return found;
  }
}

/**
 * Adds the matches that begin in the next stretch from `from` on, exactly as a search of the whole text would find
 * them. Returns where the next search must begin.
 */
function findInStretch(compiled: CompiledPattern, text: string, from: number, found: ListMatch[]): number {
  const { entry, pattern, required, width } = compiled;
  const end = stretchEnd(compiled, text, from);
  // One more unit on each side shows whether a word, a line or the text begins or ends there.
  const start = Math.max(0, from - 1);
  const stretch = text.slice(start, width === undefined ? end : end + width + 1);
  if (required?.test(stretch) === false) return end;
  let next = end;
  const matcher = pattern.matcher(stretch);
  for (let isFound = matcher.find(from - start); isFound; isFound = matcher.find()) {
    const at = { start: start + matcher.start(), end: start + matcher.end(), entry };
    if (at.start >= end) break;
    if (at.end === at.start) continue;
    found.push(at);
    next = Math.max(end, at.end);
  }
  return next;
}

/**
 * The end of a stretch. It does not split a character, and is at the end of a line where a match may extend that far.
 */
function stretchEnd({ width, staysInLine: inLine }: CompiledPattern, text: string, from: number): number {
  let end = from + STRETCH;
  if (width === undefined) {
    const line = inLine ? text.indexOf('\n', end) : -1;
    end = line < 0 ? text.length : line + 1;
  }
  if (end >= text.length) return text.length;
  return isLowHalf(text.charCodeAt(end)) ? end + 1 : end;
}

function isLowHalf(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

const SPANS_AT_ONCE = 1_000;

/**
 * Drops the spans that a match covers completely. The result is in order of start. In steps, because one text can
 * have hundreds of thousands.
 */
export function* withoutCovered<T extends { start: number; end: number }>(
  spans: readonly T[],
  matches: readonly { start: number; end: number }[],
): Generator<void, T[]> {
  const covers = inOrder(matches);
  const left: T[] = [];
  let next = 0;
  let reach = 0;
  let steps = 0;
  for (const span of inOrder(spans)) {
    for (; next < covers.length && covers[next]!.start <= span.start; next++) {
      reach = Math.max(reach, covers[next]!.end);
      if (++steps % SPANS_AT_ONCE === 0) yield;
    }
    if (span.end > reach) left.push(span);
    if (++steps % SPANS_AT_ONCE === 0) yield;
  }
  return left;
}

function inOrder<T extends { start: number }>(spans: readonly T[]): readonly T[] {
  const isBehind = (span: T, at: number) => at === 0 || spans[at - 1]!.start <= span.start;
  return spans.every(isBehind) ? spans : [...spans].sort((a, b) => a.start - b.start);
}
