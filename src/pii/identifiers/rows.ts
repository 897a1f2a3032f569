/**
 * Identifiers are defined by data. `codes.json` has those that begin with a run of letters or digits; they are tried
 * by the form of that run (see `codes.ts`). `forms.json` has those whose pattern is searched for in each block, and
 * only where `entities` names them. `vat.json` has the countries of EU_VAT.
 */
import { readFileSync } from 'node:fs';

/**
 * A weighted check digit: the digits from the left are multiplied by these weights. Without `figure`, the sum must be a
 * multiple of the modulus.
 */
export interface Weighted {
  weights: readonly number[];
  modulus: number;
  /**
   * The check digit is the difference from the sum to the next multiple of the modulus, or the remainder of the sum.
   */
  figure?: 'complement' | 'rest';
  /** The position of the check digit, counted from 0; by default directly after the weighted digits. */
  at?: number;
  /**
   * The characters that stand for the remainders of the sum, one each, where the check character is a letter or not a
   * simple difference.
   */
  signs?: string;
  /**
   * The digit that stands for a check value of ten or more; 0 by default. A negative number means that such numbers
   * are never issued.
   */
  ten?: number;
}

/**
 * Two digits for the month and two for the day. For some people or centuries a constant is added to the month.
 */
export interface Birthday {
  month: number;
  day: number;
  monthsAdded?: readonly number[];
}

/** The name of a function in `checks/`, or a condition on all digits of the number. */
export type Check = string | Weighted | Birthday;

interface CommonRow {
  type: string;
  /** ISO 3166-1 codes of the countries that issue the identifier; empty where it is used worldwide. */
  regions: readonly string[];
  /** Where the rule is published, and what it says. */
  source: string;
  check?: Check | readonly Check[];
  words: readonly string[];
}

export interface CodeRow extends CommonRow {
  fewestDigits: number;
  patterns: readonly {
    name: string;
    /** The match begins at the first character of a run of letters and digits. */
    pattern: string;
    anyCase?: true;
    score: number;
    needsWord?: true;
    /** Counts even with letters or a dash directly beside it. */
    standsGlued?: true;
    /** Does not count where further groups of four digits stand beside it, because it is then not a payment card. */
    notInRow?: true;
    /** What must stand directly before the match. */
    before?: string;
    splits?: readonly [number, number];
    letters?: number | readonly [number, number];
    runs: Readonly<Record<string, string>>;
  }[];
  /** A random number passes the check with a probability of one in eleven or more. */
  isChance?: true;
  /**
   * The number of digits, or the fewest and the most, that are also searched in loose forms: over several lines, spoken, or with letters in place of
   * digits.
   */
  loose?: number | readonly [fewest: number, most: number];
}

export interface FormRow extends CommonRow {
  /**
   * Must match text of bounded length, in upper or lower case. The characters beside a match are neither letters nor
   * digits.
   */
  pattern: string;
  /** The score of a match that has neither a check nor a word nearby. */
  score: number;
  /** About one random number in ten passes the check and any number has this form, so a word nearby is required. */
  needsWord?: true;
}

export interface VatRow {
  country: string;
  /** The part of the VAT number that follows the two letters of the country. */
  pattern: string;
  check: Check;
}

export const CODE_ROWS = readRows<CodeRow>('codes');
export const FORM_ROWS = readRows<FormRow>('forms');
export const VAT_ROWS = readRows<VatRow>('vat');

function readRows<Row>(name: string): readonly Row[] {
  return JSON.parse(readFileSync(new URL(`./${name}.json`, import.meta.url), 'utf8')) as Row[];
}
