/** The vocabulary of the detector: entity types, options, findings. */

import { CODE_ROWS, FORM_ROWS } from './identifiers/rows.js';
import type { DetectorPart } from './parts.js';

export const ENTITY_TYPES = [
  'PERSON',
  'EMAIL_ADDRESS',
  'PHONE_NUMBER',
  'DATE_TIME',
  'LOCATION',
  'URL',
  'IP_ADDRESS',
  'CREDIT_CARD',
  'CRYPTO',
  'IBAN_CODE',
  'US_SSN',
  'US_DRIVER_LICENSE',
  'US_PASSPORT',
  'US_BANK_NUMBER',
  'US_ITIN',
  'UK_NHS',
  'SG_NRIC_FIN',
  'AU_ABN',
  'AU_ACN',
  'AU_TFN',
  'AU_MEDICARE',
  'IN_PAN',
  'IN_AADHAAR',
  'IN_VEHICLE_REGISTRATION',
  'ES_NIF',
  'IT_FISCAL_CODE',
  'IT_DRIVER_LICENSE',
  'IT_VAT_CODE',
  'IT_PASSPORT',
  'IT_IDENTITY_CARD',
  'MEDICAL_LICENSE',
  'NRP',
] as const;

/**
 * Identifiers that are looked for only where `entities` names them: the rows of `identifiers/` that are not in
 * `ENTITY_TYPES`.
 */
export const OPTIONAL_ENTITY_TYPES: readonly OptionalEntityType[] = [...CODE_ROWS, ...FORM_ROWS]
  .map(({ type }) => type)
  .filter((type) => !ENTITY_TYPES.some((one) => one === type)) as OptionalEntityType[];

/** The countries that issue one of the identifiers. */
export const REGIONS: readonly string[] = [
  ...new Set([...CODE_ROWS, ...FORM_ROWS].flatMap(({ regions }) => regions)),
].sort();

/**
 * The types that `entities` asks for. `all` also means every identifier that one of `regions` issues or that is used
 * worldwide.
 */
export function wantedTypes(
  entities: readonly (EntityType | 'all')[] = ENTITY_TYPES,
  regions?: readonly string[],
): ReadonlySet<EntityType> {
  if (!entities.includes('all')) return new Set(entities as readonly EntityType[]);
  const isOfRegion = (row: { regions: readonly string[] }) =>
    regions === undefined || row.regions.length === 0 || row.regions.some((one) => regions.includes(one));
  const rows = [...CODE_ROWS, ...FORM_ROWS].filter(isOfRegion).map(({ type }) => type as EntityType);
  return new Set([...ENTITY_TYPES, ...rows, ...entities.filter((one) => one !== 'all')]);
}

/** TypeScript knows only the form of these names, because they come from a file. */
export type OptionalEntityType = `${string}_${string}` | 'UUID';
export type EntityType = (typeof ENTITY_TYPES)[number] | OptionalEntityType;

/** The lowest score of a finding: one for all types, or one for each type, with `default` for the others (0.5). */
export type ScoreThreshold = number | Readonly<Record<string, number>>;

export interface DetectOptions {
  /**
   * The types to look for; by default those of `ENTITY_TYPES`. `all` means these and all identifiers of `regions`.
   */
  entities?: readonly (EntityType | 'all')[];
  /** ISO 3166-1 codes of the countries whose identifiers `all` includes; by default those of all countries. */
  regions?: readonly string[];
  /** The language of the text. By default (`auto`) it is guessed from each text. */
  language?: string;
  /** Findings below this score are left out; 0.5 by default. */
  scoreThreshold?: ScoreThreshold;
  /** Terms (whole words, in any case) or `/pattern/flags`. A finding that a match covers completely is dropped. */
  allowList?: readonly string[];
  /** Terms or `/pattern/flags` that are always reported. The deny list overrides the allow list. */
  denyList?: readonly string[];
  /** Words that raise the score of a number near them, beside those of each recognizer. */
  context?: readonly string[];
  /** Parts of the detector to leave out, to measure what each contributes. */
  without?: readonly DetectorPart[];
  /** Fill in `Finding.explanation`. */
  explain?: boolean;
}

export interface Explanation {
  recognizer: string;
  pattern?: string;
  baseScore: number;
  validation?: 'passed' | 'failed' | 'none';
  contextWord?: string;
  reason?: string;
}

export interface Finding {
  entityType: EntityType | 'DENY_LIST';
  /** UTF-16 offsets into the given text. */
  start: number;
  end: number;
  score: number;
  explanation?: Explanation;
}

export interface Detector {
  /** For short texts. Longer texts work too, but block all other work meanwhile. */
  detectSync(text: string): Finding[];
  /** The same in steps of a few milliseconds at most. The caller decides when the next step runs. */
  steps(text: string): Generator<void, Finding[]>;
  /** For texts of any length: lets other work run every few milliseconds. */
  detect(text: string, signal?: AbortSignal): Promise<Finding[]>;
  /** Every candidate of any recognizer with its reason, before thresholds, lists and overlaps are applied. */
  candidates(text: string): Finding[];
  /**
   * False where the language has no name model of its own. Names are then read with the model of a related language,
   * or the English one.
   */
  readonly languageSupported: boolean;
}

/** A mistake in the options: `path` is its place, `message` says what is wrong. */
export class PiiOptionsError extends Error {
  readonly path: string;

  constructor(path: string, message: string) {
    super(message);
    this.name = 'PiiOptionsError';
    this.path = path;
  }
}
