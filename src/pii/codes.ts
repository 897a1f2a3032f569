/**
 * Codes of letters and digits: each begins with a run of them, and says what that run looks like. One table of all the
 * codes that are looked for tells which patterns a run is worth asking: for most runs there are none.
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
  /** Sticky; begins where a run begins. */
  regex: RegExp;
  score: number;
  /**
   * Its groups are of any number: those up to each end that gives it so many digits are tried. What stands behind an end
   * does not count then.
   */
  splits?: Range;
  /** Whether what stands around the code, which is at [start, end), makes it another thing. */
  isOther?: (text: string, start: number, end: number) => boolean;
  /** Its check is one figure and its form is that of any number: it counts beside a word of its own. */
  needsWord?: true;
  /** Its form tells it apart also where letters or a dash stand right before or behind it. */
  standsGlued?: true;
  /** What stands right before the code, where its form alone is that of anything. */
  before?: RegExp;
  /** Letters before the first digit of the run that begins the code, or the fewest and the most of them; else none. */
  letters?: number | readonly [number, number];
  /**
   * By the units of that run, `9` or `7-9`: the marks that may follow it where the code goes on behind it; `''` is
   * anything. `9 mixed` is a run with letters behind its first digit too, `9` is one without.
   */
  runs: Readonly<Record<string, string>>;
}

export interface GivenCode {
  entityType: EntityType;
  patterns: readonly CodePattern[];
  /** Fewest digits of a code. */
  fewestDigits: number;
  /** true: the check holds, score 1. false: refused. undefined: there is no check, the pattern's score stands. */
  validate?: (code: string) => boolean | undefined;
  context?: readonly string[];
  isChance?: boolean;
  /** What else there is in a block where codes were found. */
  beside?: (found: readonly Candidate[], block: Block) => Candidate[];
}

/** Units before a code that are looked at. */
const BEFORE_UNITS = 24;
/** Units around a code in which a word of its own may stand. */
const WORD_UNITS = 64;

type Report = (candidate: Candidate) => void;

/** Units of the longest number in groups, with marks between its digits. */
const LONGEST_SPLIT = 80;

/** What a pattern finds of a run, without the letters that stand right behind its digits. */
function matchOf(regex: RegExp, text: string, { start, end, place }: Run): string | undefined {
  const isCut = place === 'glued' && isLetterUnit(text.charCodeAt(end));
  return isCut ? matchAt(regex, text.slice(start, end), 0) : matchAt(regex, text, start);
}

/** What a pattern finds at `start`, and of the text up to the end of each group of digits, the longest first. */
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

/** A recognizer for codes of letters and digits, from a table of patterns and a check. */
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

  /** true: the check holds. undefined: there is none. */
  holds(code: string): boolean | undefined {
    return this.#validate?.(code);
  }

  /** The code that one of `patterns`, which are its own, finds at the start of `run`. */
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

  /** Told before all ways to split a number are tried. */
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

/** Marks that are told apart behind a run; all else is of one kind. */
const MARKS = ' -.';
const MARK_KINDS = MARKS.length + 1;
/** These stand for themselves and all above. */
const MOST_LETTERS = 6;
const MOST_UNITS = 20;
const KINDS = (MOST_LETTERS + 1) * 2 * (MOST_UNITS + 1) * MARK_KINDS;

/** What of a recognizer a run is worth asking. */
interface Asked {
  recognizer: CodeRecognizer;
  patterns: readonly CodePattern[];
  /** Those of them that may stand in a longer piece of text. */
  glued: readonly CodePattern[];
}

/** What tells which codes a run can begin, as one number. */
export function kindOf(text: string, { start, end, letters, isMixed }: Run): number {
  const mark = MARKS.indexOf(text[end] ?? '\n');
  const kind = Math.min(letters, MOST_LETTERS) * 2 + Number(isMixed);
  return (kind * (MOST_UNITS + 1) + Math.min(end - start, MOST_UNITS)) * MARK_KINDS + mark + 1;
}

/** Whether a code of this pattern can begin with a run of a kind. */
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

/** All codes that are looked for, by the kinds of runs that they begin with. */
export class CodeTable {
  readonly #wanted: readonly CodeRecognizer[];
  /** By the kind of a run, once one was seen. */
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
