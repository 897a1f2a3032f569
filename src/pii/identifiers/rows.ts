/**
 * Identifiers are data: `codes.json` has those that begin with a run of figures or letters and are asked for by the look of
 * that run (`codes.ts` says how), `forms.json` those whose form is searched in each block, which are looked for only where
 * `entities` names them, and `vat.json` the countries of EU_VAT.
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
  /** The check sign by the remainder of the sum, where it is a letter or no difference: a table of one sign each. */
  signs?: string;
  /**
   * The digit that stands for a check value of ten or more; 0 by default. A negative number means that such numbers are never
   * issued.
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

/** The name of a function in `checks/`, or a condition on all digits together. */
export type Check = string | Weighted | Birthday;

interface CommonRow {
  type: string;
  /** ISO 3166-1 codes of the countries that issue it; empty where it is used worldwide. */
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
    /** It counts with letters or a dash right beside it. */
    standsGlued?: true;
    /** It is no payment card where more groups of four figures stand beside it. */
    notInRow?: true;
    /** What must stand directly before the match. */
    before?: string;
    splits?: readonly [number, number];
    letters?: number | readonly [number, number];
    runs: Readonly<Record<string, string>>;
  }[];
  /** A random number passes the check once in eleven times or more often. */
  isChance?: true;
  /**
   * The number of digits, or the fewest and the most, that are also searched in loose forms: over several lines, spoken, or with letters in place of
   * digits.
   */
  loose?: number | readonly [fewest: number, most: number];
}

export interface FormRow extends CommonRow {
  /**
   * Matches of bounded length, in upper or lower case. The characters beside a match are neither letters nor digits.
   */
  pattern: string;
  /** The score of a match that has neither a check nor a word nearby. */
  score: number;
  /**
   * About one random number in ten passes the check and any number has this form, so a word nearby is required.
   */
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
