/**
 * Codes of letters and digits. Each states what its first run of letters and digits looks like. From these statements
 * one table is built for all codes, which says which patterns are worth trying on a run: for most runs none are.
 */
import { DOUBTFUL } from './context.js';
import { ContextWords } from './context-words.js';
import { isLetterUnit } from './model/characters.js';
import { matchAt } from './patterns/matches-of.js';
import { isDigitUnit } from './patterns/units.js';
import { type Block, type Candidate, candidate, type Run } from './recognizer.js';
import { isBehindLetters } from './runs.js';
import type { EntityType } from './types.js';

type Range = readonly [fewest: number, most: number];

export interface CodePattern {
  name: string;
  /** A sticky pattern that begins at the start of a run. */
  regex: RegExp;
  score: number;
  /**
   * The pattern matches groups of any length, so each end that gives the code one of these numbers of digits is tried.
   * What follows such an end does not count against it.
   */
  splits?: Range;
  /** Whether the text around the code, which is at [start, end), shows that it is something else. */
  isOther?: (text: string, start: number, end: number) => boolean;
  /** It has one check digit and the form of any number, so it counts only with one of its words nearby. */
  needsWord?: true;
  /** Its form is distinctive enough even with letters or a dash directly before or after it. */
  standsGlued?: true;
  /** What must stand directly before a code whose form alone could be anything. */
  before?: RegExp;
  /**
   * The number of letters before the first digit of the code's first run, or the fewest and the most. None by
   * default.
   */
  letters?: number | readonly [number, number];
  /**
   * The lengths that the code's first run may have, such as `9` or `7-9`, each with the characters that may follow
   * the run where the code continues; `''` means any character. `9 mixed` is a run with letters after its first
   * digit, `9` one without.
   */
  runs: Readonly<Record<string, string>>;
}

export interface GivenCode {
  entityType: EntityType;
  patterns: readonly CodePattern[];
  /** The fewest digits that such a code has. */
  fewestDigits: number;
  /**
   * Returns true where the check holds (the score is then 1), false where the code must be refused, and undefined
   * where there is no check, so that the pattern's score stays.
   */
  validate?: (code: string) => boolean | undefined;
  context?: readonly string[];
  isChance?: boolean;
  /** Finds further candidates in a block where codes were found. */
  beside?: (found: readonly Candidate[], block: Block) => Candidate[];
}

/** How many units before a code are checked. */
const BEFORE_UNITS = 24;
/** How far from a code, in units, one of its words may stand. */
const WORD_UNITS = 64;

type Report = (candidate: Candidate) => void;

/** The greatest length of a number in groups, in UTF-16 units, with separators between all digits. */
const LONGEST_SPLIT = 80;

/** What a pattern matches at a run. Letters that directly follow the digits of an attached run are left out. */
function matchOf(regex: RegExp, text: string, { start, end, place }: Run): string | undefined {
  const isCut = place === 'glued' && isLetterUnit(text.charCodeAt(end));
  return isCut ? matchAt(regex, text.slice(start, end), 0) : matchAt(regex, text, start);
}

/**
 * What a pattern matches at `start`, and then what it matches of shorter texts, each without one more group of
 * digits.
 */
export function* splitsAt(pattern: RegExp, text: string, start: number, digits: Range): Generator<string> {
  const whole = matchAt(pattern, text, start);
  if (whole !== undefined) yield whole;
  const piece = text.slice(start, start + LONGEST_SPLIT);
  const ends: number[] = [];
  for (let at = 0, count = 0; at < piece.length && count <= digits[1]; at++) {
    if (!isDigitUnit(piece.charCodeAt(at))) continue;
    count++;
    const isLast = !isDigitUnit(text.charCodeAt(start + at + 1));
    if (isLast && count >= digits[0] && count <= digits[1]) ends.push(at + 1);
  }
  for (const end of ends.reverse()) {
    const found = matchAt(pattern, piece.slice(0, end), 0);
    if (found?.length === end && end !== whole?.length) yield found;
  }
}

/** Recognizes codes of letters and digits by a table of patterns and a check. */
export class CodeRecognizer {
  readonly name: string;
  readonly entityType: EntityType;
  readonly fewestDigits: number;
  readonly patterns: readonly CodePattern[];
  readonly beside: GivenCode['beside'];
  readonly #validate: GivenCode['validate'];
  readonly context: ContextWords | undefined;
  readonly #isChance: boolean;

  constructor(given: GivenCode) {
    const { entityType, patterns, fewestDigits, validate, beside, context, isChance = false } = given;
    this.name = entityType.toLowerCase().replaceAll('_', '-');
    this.entityType = entityType;
    this.fewestDigits = fewestDigits;
    this.patterns = patterns;
    this.beside = beside;
    this.#validate = validate;
    this.context = context && new ContextWords(context);
    this.#isChance = isChance;
  }

  /** Whether the check holds; undefined where there is no check. */
  holds(code: string): boolean | undefined {
    return this.#validate?.(code);
  }

  /** The code that one of `patterns` finds at the start of `run`. Pass only patterns of this recognizer. */
  at({ text, mayNameNumber }: Block, run: Run, patterns: readonly CodePattern[]): Candidate | undefined {
    const { start } = run;
    for (const pattern of patterns) {
      const { regex, before } = pattern;
      if (before?.test(text.slice(Math.max(0, start - BEFORE_UNITS), start)) === false) continue;
      if (pattern.splits && pattern.needsWord && !(mayNameNumber && this.#hasWordNear(text, start))) continue;
      if (pattern.splits === undefined) {
        const code = matchOf(regex, text, run);
        const found = code === undefined ? undefined : this.#checked(pattern, text, run, code);
        if (found !== undefined) return found;
        continue;
      }
      for (const code of splitsAt(regex, text, start, pattern.splits)) {
        const found = this.#checked(pattern, text, run, code);
        if (found !== undefined) return found;
      }
    }
    return undefined;
  }

  #checked(pattern: CodePattern, text: string, run: Run, code: string): Candidate | undefined {
    const valid = this.#validate?.(code);
    if (valid === false || pattern.isOther?.(text, run.start, run.start + code.length)) return undefined;
    return this.#found(pattern, run, code, valid === true);
  }

  /** A quick test that runs before all ways to split a number are tried. */
  #hasWordNear(text: string, start: number): boolean {
    const near = text
      .slice(Math.max(0, start - WORD_UNITS), start + LONGEST_SPLIT + WORD_UNITS)
      .toLowerCase();
    return this.context?.isIn(near) ?? false;
  }

  #found(pattern: CodePattern, { start, place }: Run, code: string, isValid: boolean): Candidate {
    const { name, score, needsWord = false, standsGlued = false } = pattern;
    return candidate({
      entityType: this.entityType,
      start,
      end: start + code.length,
      score: isValid ? (needsWord ? DOUBTFUL : 1) : score,
      baseScore: score,
      recognizer: this.name,
      pattern: name,
      validation: isValid ? 'passed' : 'none',
      context: this.context,
      isChance: this.#isChance,
      needsWord,
      isGlued: place === 'glued' && !standsGlued,
    });
  }
}

/** The characters after a run that count as kinds of their own; all other characters are one kind. */
const MARKS = ' -.';
const MARK_KINDS = MARKS.length + 1;
/** Runs with this many letters or more count as one kind. */
const MOST_LETTERS = 6;
const MOST_UNITS = 20;
const KINDS = (MOST_LETTERS + 1) * 2 * (MOST_UNITS + 1) * MARK_KINDS;

/** The patterns of one recognizer that are worth trying on a run. */
interface Asked {
  recognizer: CodeRecognizer;
  patterns: readonly CodePattern[];
  /** Those of the patterns that may match where the run is attached to other text. */
  glued: readonly CodePattern[];
}

/** A number for the form of a run: it decides which codes can begin with the run. */
export function kindOf(text: string, { start, end, letters, isMixed }: Run): number {
  const mark = MARKS.indexOf(text[end] ?? '\n');
  const kind = Math.min(letters, MOST_LETTERS) * 2 + Number(isMixed);
  return (kind * (MOST_UNITS + 1) + Math.min(end - start, MOST_UNITS)) * MARK_KINDS + mark + 1;
}

/** Whether a code of this pattern can begin with a run of this form. */
export function mayBegin({ letters = 0, runs }: CodePattern, kind: number): boolean {
  const mark = (kind % MARK_KINDS) - 1;
  const units = Math.floor(kind / MARK_KINDS) % (MOST_UNITS + 1);
  const before = Math.floor(kind / MARK_KINDS / (MOST_UNITS + 1));
  const isMixed = before % 2 === 1;
  const [fewest, most] = typeof letters === 'number' ? [letters, letters] : letters;
  if (!isWithin(before >> 1, MOST_LETTERS, fewest, most)) return false;
  return Object.entries(runs).some(([run, marks]) => {
    const [from = 0, to = from] = run.replace(' mixed', '').split('-').map(Number);
    if (run.endsWith('mixed') !== isMixed || !isWithin(units, MOST_UNITS, from, to)) return false;
    return marks === '' || [...marks].some((one) => MARKS.indexOf(one) === mark);
  });
}

function isWithin(value: number, cap: number, from: number, to: number): boolean {
  return value === cap ? to >= cap : value >= from && value <= to;
}

/** All codes that are looked for, arranged by the forms of runs that they begin with. */
export class CodeTable {
  readonly #wanted: readonly CodeRecognizer[];
  /** The patterns to try for each form of run, filled in when a form is first seen. */
  readonly #asked: (readonly Asked[] | undefined)[] = new Array(KINDS).fill(undefined);

  constructor(wanted: readonly CodeRecognizer[]) {
    this.#wanted = wanted;
  }

  find(block: Block, report: Report): void {
    const { text, runs } = block;
    let beside: Map<CodeRecognizer, Candidate[]> | undefined;
    for (const run of runs) {
      if (run.place === 'decimal') continue;
      const isAfterWord = run.place === 'glued' && isBehindLetters(text, run.start);
      for (const { recognizer, patterns, glued } of this.#askedOf(kindOf(text, run))) {
        const asked = run.place === 'alone' || isAfterWord ? patterns : glued;
        if (asked.length === 0 || run.digits < recognizer.fewestDigits) continue;
        const found = recognizer.at(block, run, asked);
        if (found === undefined) continue;
        report(found);
        if (recognizer.beside === undefined) continue;
        beside ??= new Map();
        beside.set(recognizer, [...(beside.get(recognizer) ?? []), found]);
      }
    }
    for (const [recognizer, found] of beside ?? []) {
      for (const more of recognizer.beside!(found, block)) report(more);
    }
  }

  #askedOf(kind: number): readonly Asked[] {
    const known = this.#asked[kind];
    if (known !== undefined) return known;
    const asked = this.#wanted
      .map((recognizer) => {
        const patterns = recognizer.patterns.filter((one) => mayBegin(one, kind));
        return { recognizer, patterns, glued: patterns.filter(({ standsGlued }) => standsGlued) };
      })
      .filter(({ patterns }) => patterns.length > 0);
    this.#asked[kind] = asked;
    return asked;
  }
}
