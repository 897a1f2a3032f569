/**
 * Goes through a text line by line and says which parts are prose and which are source code. Names can stand in
 * prose, and in strings and comments of code. In bare code a word is an identifier, and `user.id` is not a host name.
 */
import { CLASS_SPACE, charClass } from '../model/characters.js';
import { BLANK, CODE, type LineKind, lineKind, OPEN, PROSE } from './line-kind.js';
import { type Literal, LiteralScan } from './literals.js';

/** A longer line is read in pieces of about this many UTF-16 units, so that one step takes a bounded time. */
const MAX_LINE = 4096;
const LINES_PER_STEP = 64;
const UNITS_PER_STEP = 65_536;
const MAX_KEY = 24;
/** The most starts and ends of lines in one passage of a comment. A longer comment becomes several passages. */
const MAX_BOUNDS = 128;
const TAB = 0x09;
const FENCE = /(?:```|~~~)\s?(\w*)/y;
const PROSE_FENCES = new Set(['text', 'txt', 'markdown', 'md', 'csv', 'log', 'email', 'eml']);

/** A piece of text that the name model reads as one. */
export interface Passage {
  /**
   * The start and end of each range, one after the other. Between two ranges there is a line break and nothing that
   * is read.
   */
  ranges: number[];
  /** Only names that begin here or later count. The text before it is the name of the field. */
  from: number;
  isCode: boolean;
}

export interface Layout {
  passages: Passage[];
  /** The start and end of each stretch of code lines. */
  code: number[];
}

/** The start of the name of the field whose value is the string at `start`. */
function keyStart(text: string, lineStart: number, start: number): number {
  let at = start;
  while (at > lineStart && ' "\'`:=([{>,+'.includes(text[at - 1]!)) at--;
  const end = at;
  while (at > lineStart && end - at < MAX_KEY && /[\w-]/.test(text[at - 1]!)) at--;
  return at === end ? start : at;
}

export class LayoutScan {
  readonly #text: string;
  readonly #layout: Layout = { passages: [], code: [] };
  readonly #literals = new LiteralScan();
  readonly #found: Literal[] = [];
  #previous: LineKind = PROSE;
  #blankLines = 0;
  /** The kind of text inside a fence of ``` or ~~~; undefined outside of fences. */
  #fence: LineKind | undefined;
  #prose: Passage | undefined;
  #comment: Passage | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  *steps(): Generator<void, Layout> {
    const text = this.#text;
    let lines = 0;
    let stepStart = 0;
    for (let at = 0; at < text.length; ) {
      const end = this.#lineEnd(at);
      this.#line(at, end);
      at = text.charCodeAt(end) === 0x0a ? end + 1 : Math.max(end, at + 1);
      if (++lines < LINES_PER_STEP && at - stepStart < UNITS_PER_STEP) continue;
      yield;
      lines = 0;
      stepStart = at;
    }
    return this.#layout;
  }

  /** The end of the piece that begins at `from`: its line break or, where that is far away, a blank. */
  #lineEnd(from: number): number {
    const text = this.#text;
    const limit = from + MAX_LINE;
    const found = text.slice(from, limit + 1).indexOf('\n');
    if (found >= 0) return from + found;
    if (text.length <= limit) return text.length;
    for (let at = limit; at > limit - 256; at--)
      if (charClass[text.charCodeAt(at)] === CLASS_SPACE) return at;
    return limit;
  }

  #line(start: number, end: number): void {
    let from = start;
    while (from < end && charClass[this.#text.charCodeAt(from)] === CLASS_SPACE) from++;
    const kind = this.#kindOf(start, from, end);
    if (kind === BLANK) {
      this.#blankLines++;
      return;
    }
    this.#blankLines = 0;
    this.#previous = kind;
    if (kind === CODE) this.#codeLine(start, from, end);
    else this.#proseLine(start, end);
  }

  #kindOf(start: number, from: number, end: number): LineKind {
    if (this.#literals.isOpen) return CODE;
    if (this.#isFence(from, end)) return PROSE;
    if (this.#isComment(from, end)) return CODE;
    const kind = lineKind(this.#text, from, end, from - start);
    if (kind !== OPEN) return kind;
    if (this.#fence !== undefined) return this.#fence;
    const isIndented = from - start >= 2 || this.#text.charCodeAt(start) === TAB;
    return this.#previous === CODE && (this.#blankLines === 0 || isIndented) ? CODE : PROSE;
  }

  /**
   * Whether a comment fills the line. `#` or `--` begins a comment only where the lines around it are code, because
   * it may also be a heading or a dash.
   */
  #isComment(from: number, end: number): boolean {
    if (end - from < 2) return false;
    const first = this.#text.charCodeAt(from);
    const second = this.#text.charCodeAt(from + 1);
    if (first === 0x2f) return second === 0x2f || second === 0x2a;
    const isMarked = first === 0x23 || (first === 0x2d && second === 0x2d);
    return isMarked && this.#previous === CODE;
  }

  #isFence(from: number, end: number): boolean {
    if (from === end || (this.#text[from] !== '`' && this.#text[from] !== '~')) return false;
    FENCE.lastIndex = from;
    const fence = FENCE.exec(this.#text);
    if (fence === null) return false;
    if (this.#fence !== undefined) this.#fence = undefined;
    else this.#fence = PROSE_FENCES.has(fence[1]!.toLowerCase()) ? PROSE : CODE;
    return true;
  }

  #begin(ranges: number[], from: number, isCode: boolean): Passage {
    const passage = { ranges, from, isCode };
    this.#layout.passages.push(passage);
    return passage;
  }

  #proseLine(start: number, end: number): void {
    this.#comment = undefined;
    if (this.#prose === undefined) this.#prose = this.#begin([start, end], start, false);
    else this.#prose.ranges[1] = end;
  }

  #codeLine(start: number, from: number, end: number): void {
    const { code } = this.#layout;
    if (code.length > 0 && this.#prose === undefined) code[code.length - 1] = end;
    else code.push(start, end);
    this.#prose = undefined;
    const found = this.#found;
    found.length = 0;
    this.#literals.scan(this.#text, from, end, found);
    if (found.length !== 1 || !found[0]!.isComment) this.#comment = undefined;
    for (const literal of found) this.#literal(literal, start);
  }

  #literal({ start, end, isComment }: Literal, lineStart: number): void {
    if (!isComment) {
      this.#begin([keyStart(this.#text, lineStart, start), end], start, true);
      return;
    }
    if (lineKind(this.#text, start, end, 0) === CODE) return;
    if (this.#comment !== undefined && this.#comment.ranges.length < MAX_BOUNDS)
      this.#comment.ranges.push(start, end);
    else this.#comment = this.#begin([start, end], start, true);
  }
}

/** How many entries of `bounds`, which is in order, are not after `at`. */
export function countBefore(bounds: readonly number[], at: number): number {
  let low = 0;
  let high = bounds.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (bounds[middle]! <= at) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Whether the unit at `at` is in prose, in a string or comment of source code, or in bare code. */
export function placeOf({ code, passages }: Layout, at: number): 'prose' | 'literal' | 'code' {
  if (countBefore(code, at) % 2 === 0) return 'prose';
  let low = 0;
  let high = passages.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (passages[middle]!.from <= at) low = middle + 1;
    else high = middle;
  }
  const passage = passages[low - 1];
  if (passage === undefined || !passage.isCode) return 'code';
  return at < passage.ranges[1]! || (passage.ranges.length > 2 && countBefore(passage.ranges, at) % 2 === 1)
    ? 'literal'
    : 'code';
}
