/** The words of the detector: entity types, options, findings. */

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

/** Identifiers that are looked for only where `entities` names them: the other rows of `identifiers/`. */
export const OPTIONAL_ENTITY_TYPES: readonly OptionalEntityType[] = [...CODE_ROWS, ...FORM_ROWS]
  .map(({ type }) => type)
  .filter((type) => !ENTITY_TYPES.some((one) => one === type)) as OptionalEntityType[];

/** The countries that give some identifier. */
export const REGIONS: readonly string[] = [
  ...new Set([...CODE_ROWS, ...FORM_ROWS].flatMap(({ regions }) => regions)),
].sort();

/** What `entities` asks for: `all` is also every identifier that one of `regions` gives, or that is of the whole world. */
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

/** TypeScript knows no more of them than how they are written. */
export type OptionalEntityType = `${string}_${string}` | 'UUID';
export type EntityType = (typeof ENTITY_TYPES)[number] | OptionalEntityType;

/** The least score of a finding: one for all types, or by type, with `default` for the others (0.5). */
export type ScoreThreshold = number | Readonly<Record<string, number>>;

export interface DetectOptions {
  /** Types to look for; by default all of `ENTITY_TYPES`. `all` stands for these and for all identifiers of `regions`. */
  entities?: readonly (EntityType | 'all')[];
  /** ISO 3166-1 codes of countries whose identifiers `all` stands for; by default those of all countries. */
  regions?: readonly string[];
  /** Language of the text, or `auto`, the default, to guess it from each text. */
  language?: string;
  /** Findings below this score are left out; 0.5 by default. */
  scoreThreshold?: ScoreThreshold;
  /** Terms (whole words, any case) or `/pattern/flags`. A finding that such text covers whole is dropped. */
  allowList?: readonly string[];
  /** Terms or `/pattern/flags` that are always found. Wins over the allow list. */
  denyList?: readonly string[];
  /** Words that raise the score of a number near them, besides those each recognizer knows. */
  context?: readonly string[];
  /** Parts that are left out, to measure what each of them brings. */
  without?: readonly DetectorPart[];
  /** Fills `Finding.explanation`. */
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
  /** For short texts; longer ones work too, but do not let other work run meanwhile. */
  detectSync(text: string): Finding[];
  /** The same in steps of a few milliseconds at most; whoever calls decides when the next one is due. */
  steps(text: string): Generator<void, Finding[]>;
  /** For any length: lets other work run at least every few milliseconds. */
  detect(text: string, signal?: AbortSignal): Promise<Finding[]>;
  /** Everything any recognizer thought of, with the reasons, before threshold, lists and overlaps. */
  candidates(text: string): Finding[];
  /** False when the language has no name model of its own: names are read with that of the nearest. */
  readonly languageSupported: boolean;
}

/** A mistake in the options: where it stands, and what is wrong with it. */
export class PiiOptionsError extends Error {
  readonly path: string;

  constructor(path: string, message: string) {
    super(message);
    this.name = 'PiiOptionsError';
    this.path = path;
  }
}
