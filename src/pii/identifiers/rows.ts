/**
 * Identifiers are data: `codes.json` has those that begin with a run of figures or letters and are asked for by the look of
 * that run (`codes.ts` says how), `forms.json` those whose form is searched in each block, which are looked for only where
 * `entities` names them, and `vat.json` the countries of EU_VAT.
 */
import { readFileSync } from 'node:fs';

/** What a check figure has to be, for figures from the left. Without `figure` the sum is a multiple of the modulus. */
export interface Weighted {
  weights: readonly number[];
  modulus: number;
  /** The figure is what the sum lacks to a multiple of the modulus, or the rest of the sum. */
  figure?: 'complement' | 'rest';
  /** Where it stands, counted from 0; else right behind the weights. */
  at?: number;
  /** What a check of two figures counts as; 0 where it is not told. A negative number is never a figure. */
  ten?: number;
}

/** Two figures of the month and two of the day; for some people or centuries something is added to the month. */
export interface Birthday {
  month: number;
  day: number;
  monthsAdded?: readonly number[];
}

/** The name of a function in `checks/`, or what has to hold of all figures together. */
export type Check = string | Weighted | Birthday;

interface CommonRow {
  type: string;
  /** ISO 3166-1 codes of the countries that give it; none: it is of the whole world. */
  regions: readonly string[];
  /** Where its rule stands, and what it says. */
  source: string;
  check?: Check | readonly Check[];
  words: readonly string[];
}

export interface CodeRow extends CommonRow {
  fewestDigits: number;
  patterns: readonly {
    name: string;
    /** Begins where a run begins. */
    pattern: string;
    anyCase?: true;
    score: number;
    needsWord?: true;
    /** What stands right before it. */
    before?: string;
    splits?: readonly [number, number];
    letters?: number | readonly [number, number];
    runs: Readonly<Record<string, string>>;
  }[];
  /** Its check holds for one number in eleven or more. */
  isChance?: true;
  /** So many figures are looked for in loose forms, too: over several lines, spoken, with letters for figures. */
  loose?: number;
}

export interface FormRow extends CommonRow {
  /** Of bounded length, in any case. What stands around it is no letter and no figure. */
  pattern: string;
  /** What it scores without a check and without a word. */
  score: number;
  /** Its check holds for one number in ten or so, and its form is that of any number. */
  needsWord?: true;
}

export interface VatRow {
  country: string;
  /** What stands behind the country. */
  pattern: string;
  check: Check;
}

export const CODE_ROWS = readRows<CodeRow>('codes');
export const FORM_ROWS = readRows<FormRow>('forms');
export const VAT_ROWS = readRows<VatRow>('vat');

function readRows<Row>(name: string): readonly Row[] {
  return JSON.parse(readFileSync(new URL(`./${name}.json`, import.meta.url), 'utf8')) as Row[];
}
