/**
 * What a recognizer is. Each looks for one type from *anchors*: places that can only be the start (or middle) of
 * what it looks for, such as a run of letters and digits, or an `@`. Text is handed over in blocks; a recognizer
 * handles the anchors inside the block and may look beyond its ends. Every pattern is sticky and of bounded
 * length, so a block costs a bounded time whatever stands in it.
 */
import { lean } from './lean.js';
import { matchAt } from './matches-of.js';
import type { EntityType } from './types.js';

/** Runs of letters and digits in a block that hold at least one digit. */
export interface Run {
  start: number;
  end: number;
  /** The first unit is a digit. */
  isDigit: boolean;
  /** Letters before its first digit. */
  letters: number;
  /** Digits among the DIGIT_UNITS units from its start on: no number that it begins has its first ones further apart. */
  digits: number;
  /** Stands right after `#`, a letter and `-`, or a digit and one of `-./`: a piece of a longer code. */
  isPiece: boolean;
}

/** Twelve digits with two marks between each pair need 22, and a telephone number of eight with brackets 31. */
export const DIGIT_UNITS = 32;

export interface Block {
  /** The whole normalised text. */
  text: string;
  from: number;
  to: number;
  /** The block's own text and a little more, for searches that must not run on to the end of the whole. */
  piece: string;
  runs: readonly Run[];
  /** The most digits that a run of it has from its start on. */
  mostDigits: number;
  /** What `blockSigns` has in it and the little more. */
  words: number;
}

export interface Candidate {
  entityType: EntityType;
  start: number;
  end: number;
  score: number;
  baseScore: number;
  recognizer: string;
  pattern: string;
  validation: 'passed' | 'none';
  /** Words near it that make it more likely; none when context changes nothing. */
  context?: ContextWords;
  /** Its check digit holds for one number in eleven or more: a word that names another thing speaks louder. */
  isChance: boolean;
  contextWord?: string;
  /** Units between the context word and the candidate. */
  contextDistance?: number;
  /** The word is one of the caller's, and not of its own. */
  isCallersWord?: boolean;
  reason?: string;
}

export interface Recognizer {
  readonly name: string;
  readonly entityType: EntityType;
  /** Fewest digits that a run must have from its start on, where the recognizer looks at nothing but runs. */
  readonly fewestDigits?: number;
  find(block: Block, report: (candidate: Candidate) => void): void;
}

/** Words (or phrases) that stand near a number of some type. Made into one pattern when first needed. */
export class ContextWords {
  readonly #words: readonly string[];
  #pattern: RegExp | undefined;

  constructor(words: readonly string[]) {
    // The longest first: of words that begin alike the pattern takes the first.
    this.#words = [...words].sort((a, b) => b.length - a.length);
  }

  get pattern(): RegExp {
    this.#pattern ??= lean(
      `(?<![\\p{L}\\p{N}])(?:${this.#words.map(escapePattern).join('|')})(?!\\p{L})`,
      'gu',
    );
    return this.#pattern;
  }
}

export function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}

export interface CodePattern {
  name: string;
  /** Sticky; begins where a run begins. */
  regex: RegExp;
  score: number;
}

export interface CodeRecognizer {
  entityType: EntityType;
  patterns: readonly CodePattern[];
  /** What the first unit of the code is. */
  first: 'digit' | 'letter' | 'any';
  /** Fewest units of the run that begins the code. */
  minRun?: number;
  /** Fewest digits of a code. */
  fewestDigits: number;
  /** Most letters before the first digit of that run: most words with a digit have more, and cost no look. */
  mostLetters?: number;
  /** true: the check holds, score 1. false: refused. undefined: there is no check, the pattern's score stands. */
  validate?: (code: string) => boolean | undefined;
  context?: readonly string[];
  isChance?: boolean;
  /** May begin after `#`, `-` and the like. */
  inPieces?: boolean;
}

/** A recognizer for codes of letters and digits, from a table of patterns and a check. */
export function codeRecognizer(given: CodeRecognizer): Recognizer {
  const name = given.entityType.toLowerCase().replaceAll('_', '-');
  const context = given.context && new ContextWords(given.context);
  const {
    patterns,
    validate,
    minRun = 1,
    fewestDigits,
    mostLetters = Number.POSITIVE_INFINITY,
    entityType,
  } = given;
  const wantsDigit = given.first !== 'letter';
  const wantsLetter = given.first !== 'digit';
  const isChance = given.isChance ?? false;

  function findAt(block: Block, run: Run, report: (candidate: Candidate) => void): void {
    for (const { name: pattern, regex, score } of patterns) {
      const code = matchAt(regex, block.text, run.start);
      if (code === undefined) continue;
      const valid = validate?.(code);
      if (valid === false) continue;
      const validation = valid ? 'passed' : 'none';
      const end = run.start + code.length;
      report({
        entityType,
        start: run.start,
        end,
        score: valid ? 1 : score,
        baseScore: score,
        recognizer: name,
        pattern,
        validation,
        context,
        isChance,
      });
      return;
    }
  }

  return {
    name,
    entityType,
    fewestDigits,
    find(block, report) {
      for (const run of block.runs) {
        if (run.digits < fewestDigits) continue;
        if (run.isDigit ? !wantsDigit : !wantsLetter) continue;
        if (run.end - run.start < minRun || run.letters > mostLetters) continue;
        if (run.isPiece && !given.inPieces) continue;
        findAt(block, run, report);
      }
    },
  };
}
