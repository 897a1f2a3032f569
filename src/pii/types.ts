/** The words of the detector: entity types, options, findings. */
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

/** Identifiers that are looked for only where `entities` names them. */
export const OPTIONAL_ENTITY_TYPES = [
  'DE_TAX_ID',
  'FR_NIR',
  'NL_BSN',
  'PL_PESEL',
  'PT_NIF',
  'CA_SIN',
  'BR_CPF',
  'KR_RRN',
  'ZA_ID',
  'EU_VAT',
  'UK_NINO',
  'UK_PASSPORT',
  'UK_DRIVING_LICENCE',
  'UK_POSTCODE',
  'UK_VEHICLE_REGISTRATION',
  'IE_PPS',
  'US_MBI',
  'US_NPI',
  'ABA_ROUTING_NUMBER',
  'CA_POSTAL_CODE',
  'MAC_ADDRESS',
  'UUID',
  'DE_PASSPORT',
  'DE_ID_CARD',
  'DE_SOCIAL_SECURITY',
  'DE_HEALTH_INSURANCE',
  'ES_PASSPORT',
  'FI_PERSONAL_IDENTITY_CODE',
  'SE_PERSONNUMMER',
  'SE_ORGANISATIONSNUMMER',
  'DK_CPR',
  'NO_FODSELSNUMMER',
  'BE_NATIONAL_NUMBER',
  'CH_AHV',
  'AT_SVNR',
  'CZ_BIRTH_NUMBER',
  'RO_CNP',
  'BG_EGN',
  'HR_OIB',
  'EE_LT_PERSONAL_CODE',
  'GR_AMKA',
  'TR_NATIONAL_ID',
  'MX_CURP',
  'MX_RFC',
  'CL_RUT',
  'AR_CUIT',
  'BR_CNPJ',
  'CN_RESIDENT_ID',
  'TW_NATIONAL_ID',
  'HK_ID_CARD',
  'JP_MY_NUMBER',
  'MY_NRIC',
  'TH_TNIN',
  'IL_ID',
  'IN_GSTIN',
  'IN_PASSPORT',
  'IN_VOTER',
  'KR_BRN',
  'KR_DRIVER_LICENSE',
  'KR_PASSPORT',
  'PH_TIN',
  'PH_UMID',
  'PH_PASSPORT',
  'SG_UEN',
  'NG_NIN',
  'ZA_PASSPORT',
  'ZA_VAT_NUMBER',
  'UY_CEDULA',
  'EC_CEDULA',
  'ID_NIK',
] as const;

export type EntityType = (typeof ENTITY_TYPES)[number] | (typeof OPTIONAL_ENTITY_TYPES)[number];

/** The least score of a finding: one for all types, or by type, with `default` for the others (0.5). */
export type ScoreThreshold = number | Readonly<Partial<Record<EntityType | 'default', number>>>;

export interface DetectOptions {
  /** Types to look for; by default all of `ENTITY_TYPES`. */
  entities?: readonly EntityType[];
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
